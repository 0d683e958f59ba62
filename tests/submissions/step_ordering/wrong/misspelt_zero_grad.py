# fails: order_trains order_adamw order_gradients clipping_trains clipping_adamw
# zero_grad is spelt zerograd.
order = ["move_batch", "forward", "zerograd", "backward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "zerograd", "backward", "unscale", "clip", "step", "update"]
