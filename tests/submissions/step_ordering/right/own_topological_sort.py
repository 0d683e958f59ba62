def arrange(edges, names):
    placed = []
    left = set(names)
    while left:
        ready = sorted(n for n in left if all(a in placed for a, b in edges if b == n))
        placed.append(ready[-1])
        left.discard(ready[-1])
    return placed


EDGES = [("move_batch", "forward"), ("forward", "backward"), ("zero_grad", "backward"), ("step", "update")]
order = arrange([*EDGES, ("backward", "step")], ["backward", "forward", "move_batch", "step", "update", "zero_grad"])
order_with_clipping = arrange(
    [*EDGES, ("backward", "unscale"), ("unscale", "clip"), ("clip", "step")],
    ["backward", "clip", "forward", "move_batch", "step", "unscale", "update", "zero_grad"],
)
