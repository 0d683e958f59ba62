# fails: order_trains order_adamw order_gradients
# The batch is moved at the end, as if for the next iteration.
order = ["forward", "zero_grad", "backward", "step", "update", "move_batch"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]
