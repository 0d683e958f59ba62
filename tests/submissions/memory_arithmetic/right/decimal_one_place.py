from decimal import Decimal as D


def one(x):
    return D(x).quantize(D("0.1"))


def count_parameters(sizes):
    total = D(0)
    for i in range(1, len(sizes)):
        total += D(sizes[i]) * (D(sizes[i - 1]) + 1)
    return total


def training_memory(parameters, optimizer, activations=0, dtype="float32", master_weights=False):
    small = dtype in ("float16", "bfloat16")
    p = D(parameters) / D(1048576)
    a = D(activations) / D(1048576)
    w = 2 if small else 4
    state = {"SGD": 0, "SGD+momentum": 4, "AdamW": 8}[optimizer]
    return {
        "parameters": one(w * p),
        "gradients": one(w * p),
        "master": one(4 * p) if master_weights else D("0.0"),
        "optimizer": one(state * p),
        "activations": one(w * a),
    }


def matmul_tflops(n, milliseconds):
    return one(D(2) * D(n) ** 3 / D(str(milliseconds)) / D(10) ** 9)


fp32_adamw_mb = D("762.9")
bf16_master_mb = D("762.9")
bf16_inference_mb = D("95.4")
achieved_tflops = D("11.5")
