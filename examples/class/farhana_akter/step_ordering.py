order = ['move_batch', 'forward', 'zero_grad', 'backward', 'step', 'update']
order_with_clipping = ['move_batch', 'forward', 'zero_grad', 'backward', 'clip', 'unscale', 'step', 'update']
