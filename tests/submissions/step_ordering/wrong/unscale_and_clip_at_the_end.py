# fails: clipping_trains clipping_adamw clipping_unscaled
# Unscale and clip tidy up after update.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["zero_grad", "move_batch", "forward", "backward", "step", "update", "unscale", "clip"]
