from typing import Final, Literal, get_args

Six = Literal["move_batch", "forward", "zero_grad", "backward", "step", "update"]
MOVE: Final = "move_batch"
FORWARD: Final = "forward"
ZERO: Final = "zero_grad"
BACKWARD: Final = "backward"
UNSCALE: Final = "unscale"
CLIP: Final = "clip"
STEP: Final = "step"
UPDATE: Final = "update"

order: tuple[str, ...] = get_args(Six)
order_with_clipping: list[str] = [MOVE, FORWARD, ZERO, BACKWARD, UNSCALE, CLIP, STEP, UPDATE]
