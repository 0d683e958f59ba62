# fails: clipping_trains clipping_adamw clipping_unscaled clipping_scale
# Unscale comes after step, which had to unscale by itself.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "clip", "step", "unscale", "update"]
