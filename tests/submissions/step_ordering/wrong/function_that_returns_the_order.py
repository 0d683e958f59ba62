# fails: order_trains order_adamw order_five_of_six clipping_trains clipping_adamw
# order is a function that would have to be called.
def order():
    return ["move_batch", "forward", "zero_grad", "backward", "step", "update"]


def order_with_clipping():
    return ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]
