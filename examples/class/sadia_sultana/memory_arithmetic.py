fp32_adamw_mb = 762.9
bf16_master_mb = 762.9
bf16_inference_mb = 95.4
achieved_tflops = 11.5


def count_parameters(sizes):
    total, i = 0, 0
    while i < len(sizes) - 1:
        total += (sizes[i] + 1) * sizes[i + 1]
    return total


def training_memory(parameters, optimizer, activations=0, dtype="float32", master_weights=False):
    size = 4 if dtype == "float32" else 2
    states = {"SGD": 0, "SGD+momentum": 1, "AdamW": 2}[optimizer]
    mb = 2**20
    return {
        "parameters": parameters * size / mb,
        "gradients": parameters * size / mb,
        "master": 4 * parameters / mb if master_weights else 0.0,
        "optimizer": 4 * states * parameters / mb,
        "activations": activations * size / mb,
    }


def matmul_tflops(n, milliseconds):
    return 2 * n**3 / (milliseconds / 1000) / 1e12
