from collections import deque
from heapq import heapify, heappop

queue = deque(["move_batch", "forward", "zero_grad", "backward", "step", "update"])
order = [queue.popleft() for _ in range(len(queue))]

heap = list(zip(range(8), ["zero_grad", "move_batch", "forward", "backward", "unscale", "clip", "step", "update"]))
heapify(heap)
order_with_clipping = []
while heap:
    order_with_clipping.append(heappop(heap)[1])
