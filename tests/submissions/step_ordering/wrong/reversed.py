# fails: order_five_of_six order_gradients order_trains clipping_six_of_eight clipping_seven_of_eight clipping_unscaled clipping_scale clipping_trains
# Both orders are written backwards.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"][::-1]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"][::-1]
