# fails: clipping_trains clipping_adamw clipping_unscaled
# The clip comes at the very end of the iteration.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "step", "update", "clip"]
