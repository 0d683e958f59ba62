from itertools import chain

order = map(str.lower, ("MOVE_BATCH", "FORWARD", "ZERO_GRAD", "BACKWARD", "STEP", "UPDATE"))
order_with_clipping = chain(["move_batch", "forward"], ["zero_grad", "backward"], ["unscale", "clip"], iter(["step", "update"]))
