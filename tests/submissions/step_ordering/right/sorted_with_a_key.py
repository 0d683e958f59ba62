WHEN = dict(move_batch=0, forward=10, zero_grad=15, backward=20, unscale=30, clip=40, step=50, update=60)
order_with_clipping = sorted(WHEN, key=WHEN.get)
order = sorted(WHEN.keys() - {"unscale", "clip"}, key=lambda name: WHEN[name])
