# fails: clipping_trains clipping_adamw clipping_seven_of_eight clipping_unscaled clipping_scale
# The second order is a copy of the first.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = order
