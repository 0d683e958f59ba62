# fails: order_trains order_gradients clipping_trains
# Every two neighbours are swapped.
order = ["forward", "move_batch", "backward", "zero_grad", "update", "step"]
order_with_clipping = ["forward", "move_batch", "backward", "zero_grad", "clip", "unscale", "update", "step"]
