# fails: order_trains order_adamw order_five_of_six clipping_trains clipping_adamw
# A dict from name to place is given in place of a list.
order = {n: i for i, n in enumerate(["move_batch", "forward", "zero_grad", "backward", "step", "update"])}
order_with_clipping = {n: i for i, n in enumerate(["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"])}
