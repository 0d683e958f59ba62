# fails: clipping_trains clipping_six_of_eight
# The file stops before the second answer is made.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping_ = list(order)
order_with_clipping_.insert(order_with_clipping_.index('Step'), 'unscale')
order_with_clipping = order_with_clipping_
