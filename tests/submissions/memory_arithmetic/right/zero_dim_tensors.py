import torch


def count_parameters(sizes):
    s = torch.tensor(sizes)
    return ((s[:-1] + 1) * s[1:]).sum()


def training_memory(parameters, optimizer, activations=0, dtype="float32", master_weights=False):
    p = torch.tensor(parameters, dtype=torch.float64) / 2**20
    a = torch.tensor(activations, dtype=torch.float64) / 2**20
    w = torch.finfo(getattr(torch, dtype)).bits // 8
    state = torch.tensor([0, 4, 8])[["SGD", "SGD+momentum", "AdamW"].index(optimizer)]
    return {"parameters": w * p, "gradients": w * p, "master": 4 * p * float(master_weights), "optimizer": state * p, "activations": w * a}


def matmul_tflops(n, milliseconds):
    return torch.tensor(n, dtype=torch.float32).pow(3).mul(2e-9).div(milliseconds)


fp32_adamw_mb = torch.tensor(762.94)
bf16_master_mb = torch.tensor(762.94, dtype=torch.float64)
bf16_inference_mb = torch.tensor(95.37)
achieved_tflops = torch.tensor(11.45, requires_grad=True)
