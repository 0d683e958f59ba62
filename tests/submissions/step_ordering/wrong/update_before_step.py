# fails: order_trains order_adamw
# The scaler is updated before the step is taken.
order = ["move_batch", "forward", "zero_grad", "backward", "update", "step"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]
