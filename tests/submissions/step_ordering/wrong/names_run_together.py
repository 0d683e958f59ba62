# fails: order_trains order_adamw order_five_of_six clipping_trains clipping_adamw
# The commas between the strings are forgotten, so they join into one name.
order = [
    "move_batch"
    "forward"
    "zero_grad"
    "backward"
    "step"
    "update"
]
order_with_clipping = ["move_batch" "forward" "zero_grad" "backward" "unscale" "clip" "step" "update"]
