AFTER = {"move_batch": "forward", "forward": "backward", "backward": "unscale", "unscale": "clip", "clip": "step", "step": "update", "update": "zero_grad"}


def follow(name, skip=()):
    rest = follow(AFTER[name], skip) if name in AFTER else []
    return rest if name in skip else [name, *rest]


order = follow("move_batch", skip=("unscale", "clip"))
order_with_clipping = follow("move_batch")
