# fails: clipping_trains clipping_adamw clipping_unscaled
# unscale is left out, so clip sees scaled gradients.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "clip", "step", "update"]
