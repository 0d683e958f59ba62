# fails: clipping_trains clipping_adamw clipping_unscaled
# unscale is written before and after clip.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "unscale", "step", "update"]
