order = ["zero_grad", "move_batch", "forward", "backward", "step", "update"]
order_with_clipping = ["zero_grad", "move_batch", "forward", "backward", "unscale", "clip", "step", "update"]
