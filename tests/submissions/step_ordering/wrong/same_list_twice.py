# fails: order_trains order_adamw
# One list object serves both names, so the six-step order has eight steps.
order = order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping[4:4] = ['unscale', 'clip']
