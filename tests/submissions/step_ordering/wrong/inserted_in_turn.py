# fails: clipping_trains clipping_adamw clipping_unscaled
# unscale and clip are inserted one after the other at the same place, so they end up the wrong way round.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = list(order)
for name in ('unscale', 'clip'):
    order_with_clipping.insert(4, name)
