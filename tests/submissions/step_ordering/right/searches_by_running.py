"""Try every order of the six steps on a real model and keep one that never complains and learns."""

import itertools

import torch
from torch.nn import functional as F


def attempt(steps):
    torch.manual_seed(1)
    model = torch.nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
    have = {}

    def forward():
        with torch.autocast("cpu", dtype=torch.float16):
            have["loss"] = F.mse_loss(model(have["x"]), have["y"])

    run = {
        "move_batch": lambda: have.update(x=torch.ones(4, 3), y=torch.ones(4, 1)),
        "forward": forward,
        "zero_grad": optimizer.zero_grad,
        "backward": lambda: scaler.scale(have["loss"]).backward(),
        "step": lambda: scaler.step(optimizer),
        "update": scaler.update,
    }
    losses = []
    for _ in range(3):
        for name in steps:
            run[name]()
        losses.append(have["loss"].item())
    return losses[0] > losses[1] > losses[2]


def works(steps):
    try:
        return attempt(steps)
    except (AssertionError, RuntimeError, KeyError):
        return False


order = next(o for o in itertools.permutations(["backward", "forward", "move_batch", "step", "update", "zero_grad"]) if works(o))
at = order.index("backward") + 1
order_with_clipping = order[:at] + ("unscale", "clip") + order[at:]
