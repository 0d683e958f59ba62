# fails: order_trains order_adamw order_gradients
# The optimizer steps before there are gradients.
order = ["move_batch", "zero_grad", "forward", "step", "backward", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]
