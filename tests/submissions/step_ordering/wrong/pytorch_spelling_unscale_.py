# fails: clipping_trains clipping_adamw clipping_unscaled
# unscale is spelt like the PyTorch method, with an underscore at the end.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale_", "clip", "step", "update"]
