order = "move_batch", "zero_grad", "forward", "backward", "step", "update"
order_with_clipping = "move_batch", "zero_grad", "forward", "backward", "unscale", "clip", "step", "update"
