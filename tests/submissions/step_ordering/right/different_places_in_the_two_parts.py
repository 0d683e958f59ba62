order = ["move_batch", "forward", "backward", "step", "update", "zero_grad"]
order_with_clipping = ["zero_grad", "move_batch", "forward", "backward", "unscale", "clip", "step", "update"]
