pairs = [(3, "backward"), (1, "forward"), (0, "move_batch"), (6, "step"), (7, "update"), (8, "zero_grad"), (4, "unscale"), (5, "clip")]
pairs.sort()
order_with_clipping = [name for _, name in pairs]
order = list(filter(lambda name: name not in {"unscale", "clip"}, order_with_clipping))
