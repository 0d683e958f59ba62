import numpy as np

order = np.array(["move_batch", "forward", "backward", "step", "zero_grad", "update"])
order_with_clipping = np.insert(order.astype("U20"), 3, ["unscale", "clip"])
