order = [" move_batch", "forward ", "  zero_grad", "backward", "step\n", "\tupdate"]
order_with_clipping = [name for name in "move_batch ; forward ; zero_grad ; backward ; unscale ; clip ; step ; update".split(";")]
