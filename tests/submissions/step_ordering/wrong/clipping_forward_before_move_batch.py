# fails: clipping_trains clipping_adamw clipping_unscaled clipping_scale
# The batch is moved after the forward pass.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["zero_grad", "forward", "move_batch", "backward", "unscale", "clip", "step", "update"]
