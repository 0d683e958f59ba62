# fails: order_trains order_adamw order_five_of_six clipping_trains clipping_adamw
# The result of list.sort is kept, which is None.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"].sort()
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"].sort()
