# fails: order_trains order_adamw order_five_of_six clipping_trains clipping_adamw clipping_six_of_eight
# The names are written in capitals.
order = [n.upper() for n in ["move_batch", "forward", "zero_grad", "backward", "step", "update"]]
order_with_clipping = [n.upper() for n in ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]]
