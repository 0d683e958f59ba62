# fails: order_trains order_adamw
# zero_grad is left out, so gradients of all iterations pile up.
order = ["move_batch", "forward", "backward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]
