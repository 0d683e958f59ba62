# fails: clipping_trains clipping_adamw clipping_scale
# Update runs after clip and before step.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "update", "step"]
