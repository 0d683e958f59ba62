from dataclasses import dataclass, field


@dataclass(order=True)
class Step:
    when: float
    name: str = field(compare=False)
    clipping_only: bool = field(default=False, compare=False)


STEPS = [
    Step(5.0, "update"),
    Step(4.0, "step"),
    Step(3.2, "unscale", True),
    Step(3.5, "clip", True),
    Step(3.0, "backward"),
    Step(0.5, "zero_grad"),
    Step(2.0, "forward"),
    Step(1.0, "move_batch"),
]
order = [s.name for s in sorted(STEPS) if not s.clipping_only]
order_with_clipping = [s.name for s in sorted(STEPS)]
