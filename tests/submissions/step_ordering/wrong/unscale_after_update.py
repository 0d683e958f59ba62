# fails: clipping_trains clipping_adamw clipping_unscaled
# Unscale comes after update, so the next step uses gradients that are still scaled.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "clip", "step", "update", "unscale"]
