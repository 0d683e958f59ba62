order = reversed(["update", "step", "backward", "zero_grad", "forward", "move_batch"])
order_with_clipping = ["update", "step", "clip", "unscale", "backward", "forward", "move_batch", "zero_grad"][::-1]
