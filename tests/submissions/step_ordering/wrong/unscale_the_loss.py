# fails: clipping_trains clipping_adamw clipping_unscaled clipping_scale
# Unscale stands between forward and backward, as if it worked on the loss.
order = ["move_batch", "forward", "zero_grad", "backward", "step", "update"]
order_with_clipping = ["zero_grad", "move_batch", "forward", "unscale", "backward", "clip", "step", "update"]
