# fails: clipping_trains clipping_adamw
# zero_grad empties the clipped gradients right before step.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "backward", "unscale", "clip", "zero_grad", "step", "update"]
