from abc import ABC, abstractmethod

import numpy as np
import torch


class Policy(ABC):
    @abstractmethod
    def target(self, dtypes, low): ...

    def __call__(self, dtypes, low):
        if low is None or torch.float64 in dtypes:
            return Promote().target(dtypes, low)
        return self.target(dtypes, low)


class Promote(Policy):
    def target(self, dtypes, low):
        first, *rest = dtypes
        return torch.promote_types(first, self.target(rest, low)) if rest else first


class Lower(Policy):
    def target(self, dtypes, low):
        return low


class Full(Policy):
    def target(self, dtypes, low):
        return torch.float32


OPS = {}
for cls, names in (
    (Lower, "linear matmul mm bmm addmm conv1d conv2d prelu"),
    (Full, "softmax log_softmax layer_norm group_norm mse_loss l1_loss cross_entropy nll_loss sum prod cumsum"),
    (Full, "exp log pow rsqrt reciprocal softplus"),
):
    for n in names.split():
        OPS[n] = cls()


def autocast_dtype(op, dtypes, autocast):
    low = None if autocast is None else getattr(torch, autocast)
    return OPS.get(op, Promote())([getattr(torch, d) for d in dtypes], low)


predictions = {"h": np.float16, "weight": np.dtype("float32"), "loss": np.float32, "weight_grad": np.float32}
