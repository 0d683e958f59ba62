# fails: order_trains order_adamw order_gradients
# The forward pass runs before the batch is on the device.
order = ["forward", "move_batch", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]
