order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]
