# fails: clipping_trains clipping_adamw clipping_unscaled
# unscale and clip are inserted after step instead of before it.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = list(order)
for name in ('unscale', 'clip'):
    order_with_clipping.insert(order_with_clipping.index('step') + 1, name)
