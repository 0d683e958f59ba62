# fails: clipping_trains clipping_adamw clipping_unscaled clipping_scale
# Step runs before backward.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "step", "backward", "unscale", "clip", "update"]
