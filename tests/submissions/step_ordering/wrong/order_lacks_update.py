# fails: order_trains order_adamw
# update is left out.
order = ["move_batch", "forward", "zero_grad", "backward", "step"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]
