# fails: order_trains order_adamw order_gradients
# The six-step order holds unscale and clip as well.
order = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]
