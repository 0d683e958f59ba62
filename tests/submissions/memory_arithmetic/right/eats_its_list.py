"""Takes the list apart while it counts; float32 NumPy values in the dict."""
import numpy as np


def count_parameters(sizes):
    total = 0
    out = sizes.pop()
    while sizes:
        inp = sizes.pop()
        total += inp * out + out
        out = inp
    return float(total)


def training_memory(parameters, optimizer, activations=0, dtype="float32", master_weights=False):
    scale = np.float32(1 / 2**20)
    per_number = np.float32(4 if dtype == "float32" else 2)
    per_parameter = {"parameters": per_number, "gradients": per_number}
    per_parameter["master"] = np.float32(4 if master_weights else 0)
    per_parameter["optimizer"] = np.float32({"SGD": 0, "SGD+momentum": 4, "AdamW": 8}[optimizer])
    memory = {k: v * np.float32(parameters) * scale for k, v in per_parameter.items()}
    memory["activations"] = per_number * np.float32(activations) * scale
    return memory


def matmul_tflops(n, milliseconds):
    return np.float32(2 * n**3 / (milliseconds / 1000) / 1e12)


fp32_adamw_mb = 762.9
bf16_master_mb = 762.9
bf16_inference_mb = 95.4
achieved_tflops = 11.5
