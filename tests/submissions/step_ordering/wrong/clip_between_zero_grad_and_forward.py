# fails: clipping_trains clipping_adamw clipping_unscaled
# The clip runs right after zero_grad, when there is nothing to clip.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["zero_grad", "clip", "move_batch", "forward", "backward", "unscale", "step", "update"]
