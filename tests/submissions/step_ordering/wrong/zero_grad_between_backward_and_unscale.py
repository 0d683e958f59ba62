# fails: clipping_trains clipping_adamw clipping_unscaled clipping_scale
# zero_grad empties the gradients before unscale.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "backward", "zero_grad", "unscale", "clip", "step", "update"]
