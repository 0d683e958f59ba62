from enum import Enum, StrEnum, auto


class Plain(Enum):
    move_batch = 1
    forward = 2
    backward = 3
    step = 4
    update = 5
    zero_grad = 6


class Clipped(StrEnum):
    zero_grad = auto()
    move_batch = auto()
    forward = auto()
    backward = auto()
    unscale = auto()
    clip = auto()
    step = auto()
    update = auto()


order = [member.name for member in Plain]
order_with_clipping = tuple(Clipped)
