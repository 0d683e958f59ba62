# fails: order_trains order_adamw
# The gradients are cleared after backward and before step.
order = ["move_batch", "forward", "backward", "zero_grad", "step", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]
