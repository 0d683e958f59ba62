# fails: clipping_trains clipping_adamw clipping_unscaled
# Clip stands between forward and backward, as if it clipped the loss.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["zero_grad", "move_batch", "forward", "clip", "backward", "unscale", "step", "update"]
