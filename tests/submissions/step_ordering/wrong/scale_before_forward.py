# fails: order_trains order_adamw order_gradients
# The scaler's update is taken for the scaling of the loss and put before backward.
order = ["move_batch", "zero_grad", "forward", "update", "backward", "step"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]
