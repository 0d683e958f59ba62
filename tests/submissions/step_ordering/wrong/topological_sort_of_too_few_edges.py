# fails: order_trains order_adamw clipping_trains clipping_adamw
# The graph forgets that step needs backward and that clip needs unscale.
from graphlib import TopologicalSorter

needs = {"forward": {"move_batch"}, "backward": {"forward", "zero_grad"}, "step": set(), "update": {"step"}}
order = list(TopologicalSorter(needs).static_order())
order_with_clipping = list(TopologicalSorter(needs | {"unscale": {"backward"}, "clip": set()}).static_order())
