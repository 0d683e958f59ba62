# fails: clipping_trains clipping_adamw clipping_unscaled
# The clip runs before this iteration's gradients exist.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "clip", "backward", "unscale", "step", "update"]
