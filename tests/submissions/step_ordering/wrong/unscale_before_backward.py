# fails: clipping_trains clipping_adamw clipping_unscaled clipping_scale
# Unscale runs before anything was scaled.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "unscale", "backward", "clip", "step", "update"]
