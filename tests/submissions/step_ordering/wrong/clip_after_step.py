# fails: clipping_trains clipping_adamw clipping_unscaled
# The clip comes after the step that should have used it.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "step", "clip", "update"]
