# fails: order_trains order_adamw order_gradients
# Backward runs before the loss exists.
order = ["move_batch", "zero_grad", "backward", "forward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]
