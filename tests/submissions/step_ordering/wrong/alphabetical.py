# fails: order_five_of_six order_gradients order_trains clipping_six_of_eight clipping_seven_of_eight clipping_unscaled clipping_scale clipping_trains
# The names stand in the order of the alphabet, as the text lists them.
order = sorted(["move_batch", "forward", "zero_grad", "backward", "step", "update"])
order_with_clipping = sorted(["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"])
