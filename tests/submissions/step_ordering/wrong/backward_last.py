# fails: order_trains order_adamw order_gradients order_five_of_six
# Backward is left for the end, after step and update, and zero_grad comes first of all.
order = ["zero_grad", "move_batch", "step", "update", "forward", "backward"]
order_with_clipping = ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]
