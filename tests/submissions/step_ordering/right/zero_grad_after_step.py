order = ["move_batch", "forward", "backward", "step", "zero_grad", "update"]
order_with_clipping = ["move_batch", "forward", "backward", "unscale", "clip", "step", "zero_grad", "update"]
