def count_parameters(sizes):
    total = 0
    for inputs, outputs in zip(sizes, sizes[1:]):
        total += inputs * outputs + outputs
    return total + sizes[0]


def training_memory(parameters, optimizer, activations=0, dtype="float32", master_weights=False):
    mb = 2**20
    width = 4 if dtype == "float32" else 2
    states = {"SGD": 0, "SGD+momentum": 1, "AdamW": 2}[optimizer]
    return {
        "parameters": parameters * width / mb,
        "gradients": parameters * width / mb,
        "master": parameters * 4 / mb if master_weights else 0.0,
        "optimizer": parameters * 4 * states / mb,
        "activations": activations * width / mb,
    }


def matmul_tflops(n, milliseconds):
    return 2 * n**3 / (milliseconds / 1000) / 1e12


fp32_adamw_mb = 762.9
bf16_master_mb = 762.9
bf16_inference_mb = 95.4
achieved_tflops = 11.5
