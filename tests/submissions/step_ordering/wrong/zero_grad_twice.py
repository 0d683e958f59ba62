# fails: order_trains order_adamw order_gradients clipping_trains clipping_adamw
# zero_grad is written at both ends to be safe.
order = ["zero_grad", "move_batch", "forward", "backward", "step", "update", "zero_grad"]
order_with_clipping = ["zero_grad", "move_batch", "forward", "backward", "unscale", "clip", "step", "update", "zero_grad"]
