# fails: order_trains order_adamw order_gradients
# The step is taken first, as if with the gradients of the previous iteration.
order = ["step", "update", "zero_grad", "move_batch", "forward", "backward"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]
