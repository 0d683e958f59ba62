# fails: order_trains order_adamw
# update is written twice.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]
