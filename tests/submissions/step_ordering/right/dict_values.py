from collections import OrderedDict

numbered = dict(enumerate(["move_batch", "forward", "zero_grad", "backward", "step", "update"], start=1))
order = numbered.values()
order_with_clipping = OrderedDict((n, None) for n in ["move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"]).keys()
