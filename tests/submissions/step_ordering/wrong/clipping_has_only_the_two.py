# fails: clipping_trains clipping_adamw clipping_six_of_eight clipping_scale
# The second order holds the two new names only.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["unscale", "clip"]
