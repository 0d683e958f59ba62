import sys
import warnings
from collections import OrderedDict


def count_parameters(sizes):
    """Print every layer on the way."""
    total = 0
    for i, (inputs, outputs) in enumerate(zip(sizes[:-1], sizes[1:])):
        weights, bias = inputs * outputs, outputs
        print(f"layer {i}: {inputs} -> {outputs}: {weights} + {bias}")
        total += weights + bias
    print("total", total, file=sys.stderr)
    return total


def training_memory(parameters, optimizer, activations=0, dtype="float32", master_weights=False):
    warnings.warn("activations are only an estimate", stacklevel=2)
    width = 4 if dtype == "float32" else 2
    out = OrderedDict()
    out["parameters"] = round(parameters * width / 2**20, 1)
    out["gradients"] = round(parameters * width / 2**20, 1)
    out["master"] = round(parameters * 4 / 2**20, 1) if master_weights else 0
    out["optimizer"] = round(parameters * 4 * {"SGD": 0, "SGD+momentum": 1, "AdamW": 2}[optimizer] / 2**20, 1)
    out["activations"] = round(activations * width / 2**20, 1)
    out["total"] = sum(out.values())
    out["note"] = f"{optimizer}, {dtype}"
    print(dict(out))
    return out


def matmul_tflops(n, milliseconds):
    speed = round(2 * n**3 / (milliseconds * 1e-3) / 1e12, 2)
    print("speed:", speed, "TFLOP/s")
    return speed


fp32_adamw_mb = training_memory(50_000_000, "AdamW")["total"]
bf16_master_mb = training_memory(50_000_000, "AdamW", 0, "bfloat16", True)["total"]
bf16_inference_mb = training_memory(50_000_000, "SGD", 0, "bfloat16")["parameters"]
achieved_tflops = matmul_tflops(4096, 12)
