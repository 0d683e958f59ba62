# fails: order_trains order_adamw order_gradients clipping_trains clipping_adamw
# Steps of the author's own are added.
order = ["move_batch", "forward", "scale", "zero_grad", "backward", "step", "update", "log_loss"]
order_with_clipping = ["move_batch", "forward", "scale", "zero_grad", "backward", "unscale", "clip", "step", "update", "log_loss"]
