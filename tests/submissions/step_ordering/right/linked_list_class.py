class Node:
    def __init__(self, name, after=None):
        self.name, self.after = name, after

    def __iter__(self):
        node = self
        while node:
            yield node.name
            node = node.after


def chain(names):
    head = None
    for name in reversed(names):
        head = Node(name, head)
    return head


order = list(chain(("move_batch", "forward", "zero_grad", "backward", "step", "update")))
order_with_clipping = [*chain(("move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update"))]
