# fails: order_trains order_adamw order_gradients
# The scale is updated at the start of the iteration.
order = ["update", "move_batch", "forward", "zero_grad", "backward", "step"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]
