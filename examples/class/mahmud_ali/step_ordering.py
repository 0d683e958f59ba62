# gradients start as None, so clearing them at the end of the iteration is as good as at its start
order = ["move_batch", "forward", "backward", "step", "update", "zero_grad"]
order_with_clipping = ["move_batch", "forward", "backward", "unscale", "clip", "step", "update", "zero_grad"]
