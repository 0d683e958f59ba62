from dataclasses import dataclass, field
from statistics import median
from typing import Any

import torch


@dataclass
class CudaMs:
    event: Any = torch.Event
    options: dict = field(default_factory=lambda: {"device": "cuda", "enable_timing": True})
    wait: Any = staticmethod(torch.cuda.synchronize)

    def one(self, fn):
        a, b = self.event(**self.options), self.event(**self.options)
        a.record()
        fn()
        b.record()
        return a, b

    def __call__(self, fn, warmup=3, reps=20):
        if reps < 1:
            raise ValueError("reps")
        for _ in range(warmup):
            self.one(fn)
        pairs = [self.one(fn) for _ in range(reps)]
        self.wait()
        return median(a.elapsed_time(b) for a, b in pairs)


cuda_ms = CudaMs()
