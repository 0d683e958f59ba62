from fractions import Fraction as F
from itertools import accumulate, pairwise

MB = F(1, 2**20)


def count_parameters(sizes):
    *_, last = accumulate((a * b + b for a, b in pairwise(sizes)), initial=0)
    return F(last)


def training_memory(parameters, optimizer, activations=0, dtype="float32", master_weights=False):
    width = F({"float32": 32, "float16": 16, "bfloat16": 16}[dtype], 8)
    return {
        "activations": activations * width * MB,
        "optimizer": parameters * 4 * MB * (optimizer.endswith("momentum") + 2 * (optimizer == "AdamW")),
        "master": F(4) * parameters * MB if master_weights else F(0),
        "gradients": parameters * width * MB,
        "parameters": parameters * width * MB,
    }


def matmul_tflops(n, milliseconds):
    return F(2 * n**3) / (F(milliseconds) * 10**9)


fp32_adamw_mb = F(50_000_000 * 16, 2**20)
bf16_master_mb = F(50_000_000 * (2 + 2 + 4 + 8), 2**20)
bf16_inference_mb = F(100_000_000, 2**20)
achieved_tflops = F(2 * 4096**3, 12 * 10**9)
