# fails: order_trains order_adamw clipping_trains clipping_adamw clipping_seven_of_eight
# The two answers are swapped.
order = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
