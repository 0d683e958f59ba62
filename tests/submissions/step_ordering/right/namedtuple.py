from typing import NamedTuple


class Six(NamedTuple):
    first: str = "move_batch"
    second: str = "forward"
    third: str = "zero_grad"
    fourth: str = "backward"
    fifth: str = "step"
    sixth: str = "update"


order = Six()
order_with_clipping = (*order[:4], "unscale", "clip", *order[4:])
