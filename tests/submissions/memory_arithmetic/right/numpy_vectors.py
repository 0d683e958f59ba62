import numpy as np


def count_parameters(sizes):
    a = np.asarray(sizes, dtype=np.int64)
    return (a[:-1] + 1) @ a[1:]


def training_memory(parameters, optimizer, activations=0, dtype="float32", master_weights=False):
    w = 4 if dtype == "float32" else 2
    k = {"AdamW": 2, "SGD+momentum": 1}.get(optimizer, 0)
    numbers = np.array([parameters, parameters, parameters, parameters, activations], dtype=np.float64)
    width = np.array([w, w, 4 * master_weights, 4 * k, w])
    return dict(zip(["parameters", "gradients", "master", "optimizer", "activations"], numbers * width / 2.0**20))


def matmul_tflops(n, milliseconds):
    return np.float64(n) ** 3 * 2 / np.float64(milliseconds) * 1e3 * 1e-12


fp32_adamw_mb = np.float32(762.9395)
bf16_master_mb = np.float64(762.9)
bf16_inference_mb = np.array(95.4)
achieved_tflops = np.float32(11.5)
