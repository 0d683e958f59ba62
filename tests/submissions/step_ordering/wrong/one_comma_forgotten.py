# fails: order_trains order_adamw clipping_trains clipping_adamw
# One comma is forgotten, so two names join into one.
order = ["move_batch", "forward", "zero_grad" "backward", "step", "update"]
order_with_clipping = ["move_batch", "forward", "zero_grad" "backward", "unscale", "clip", "step", "update"]
