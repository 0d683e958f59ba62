# fails: order_trains order_adamw clipping_trains clipping_adamw
# The order of a plain float32 loop, with the scaler's lines put at the end.
order = ["move_batch", "zero_grad", "forward", "backward", "update", "step"]
order_with_clipping = ["move_batch", "zero_grad", "forward", "backward", "clip", "step", "unscale", "update"]
