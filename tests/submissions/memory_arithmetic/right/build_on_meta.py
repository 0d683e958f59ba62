"""Builds the layers and the tensors for real, on the meta device."""
import torch
from torch import nn


def count_parameters(sizes):
    with torch.device("meta"):
        net = nn.Sequential(*(nn.Linear(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 1)))
    return sum(p.numel() for p in net.parameters())


def training_memory(parameters, optimizer, activations=0, dtype="float32", master_weights=False):
    kind = getattr(torch, dtype)

    def mb(count, dt):
        return torch.empty(count, dtype=dt, device="meta").nbytes / 1024**2

    k = ("SGD", "SGD+momentum", "AdamW").index(optimizer)
    return dict(
        parameters=mb(parameters, kind),
        gradients=mb(parameters, kind),
        master=mb(parameters if master_weights else 0, torch.float32),
        optimizer=sum(mb(parameters, torch.float32) for _ in range(k)),
        activations=mb(activations, kind),
    )


def matmul_tflops(n, milliseconds):
    return 2 * n ** 3 / (milliseconds * 1e9)


fp32_adamw_mb = sum(training_memory(50_000_000, "AdamW").values())
bf16_master_mb = sum(training_memory(50_000_000, "AdamW", dtype="bfloat16", master_weights=True).values())
bf16_inference_mb = training_memory(50_000_000, "SGD", dtype="bfloat16")["parameters"]
achieved_tflops = matmul_tflops(4096, 12)
