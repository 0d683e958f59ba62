import numpy as np

names = np.array(["backward", "clip", "forward", "move_batch", "step", "unscale", "update", "zero_grad"], dtype=object)
place = np.array([4, 6, 2, 1, 7, 5, 8, 3])
order_with_clipping = names[np.argsort(place)]
order = order_with_clipping[~np.isin(order_with_clipping.astype(str), ["clip", "unscale"])]
