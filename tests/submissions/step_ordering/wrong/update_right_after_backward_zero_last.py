# fails: order_trains order_adamw
# Update follows backward directly and step comes after it.
order = ["move_batch", "forward", "backward", "update", "step", "zero_grad"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]
