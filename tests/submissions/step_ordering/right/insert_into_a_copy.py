order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = order.copy()
at = order_with_clipping.index("step")
order_with_clipping[at:at] = ["unscale", "clip"]
