# fails: clipping_trains clipping_adamw clipping_unscaled
# zero_grad empties the gradients after unscale, so nothing is ever learned.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "backward", "unscale", "zero_grad", "clip", "step", "update"]
