# fails: clipping_trains clipping_adamw clipping_unscaled
# The clip opens the iteration.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["clip", "move_batch", "zero_grad", "forward", "backward", "unscale", "step", "update"]
