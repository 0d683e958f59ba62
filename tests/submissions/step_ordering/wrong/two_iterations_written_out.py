# fails: order_trains order_adamw clipping_trains clipping_adamw
# Two iterations are written one after the other.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"] * 2
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"] * 2
