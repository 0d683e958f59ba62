from graphlib import TopologicalSorter

needs = {
    "forward": {"move_batch"},
    "backward": {"forward", "zero_grad"},
    "step": {"backward"},
    "update": {"step"},
}
order = list(TopologicalSorter(needs).static_order())
needs |= {"unscale": {"backward"}, "clip": {"unscale"}, "step": {"clip"}}
order_with_clipping = tuple(TopologicalSorter(needs).static_order())
