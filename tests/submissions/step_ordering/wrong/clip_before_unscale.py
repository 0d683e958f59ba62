# fails: clipping_trains clipping_adamw clipping_unscaled
# The clip sees gradients that are still multiplied by the scale.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "clip", "unscale", "step", "update"]
