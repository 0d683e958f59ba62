from enum import Enum


class Step(str, Enum):
    MOVE = "move_batch"
    FORWARD = "forward"
    ZERO = "zero_grad"
    BACKWARD = "backward"
    UNSCALE = "unscale"
    CLIP = "clip"
    STEP = "step"
    UPDATE = "update"


order_with_clipping = list(Step)
order = [s for s in Step if s not in (Step.UNSCALE, Step.CLIP)]
