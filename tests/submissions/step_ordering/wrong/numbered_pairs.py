# fails: order_trains order_adamw order_five_of_six clipping_trains clipping_adamw
# A list of (place, name) pairs is given.
order = list(enumerate(["move_batch", "forward", "zero_grad", "backward", "step", "update"]))
order_with_clipping = list(enumerate(["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]))
