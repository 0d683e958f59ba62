# fails: order_trains order_adamw
# zero_grad stands between backward and step, and update before both.
order = ["move_batch", "forward", "update", "backward", "zero_grad", "step"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]
