# fails: clipping_trains clipping_adamw clipping_unscaled
# Clip waits until after zero_grad at the end of the iteration.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "backward", "unscale", "step", "update", "zero_grad", "clip"]
