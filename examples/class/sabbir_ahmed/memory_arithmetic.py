def count_parameters(sizes):
    # only chains of at least one layer come here
    match sizes:
        case [a, b]:
            return a * b + b
        case [a, b, *rest]:
            return a * b + b + count_parameters([b, *rest])


def training_memory(parameters, optimizer, activations=0, dtype="float32", master_weights=False):
    match dtype:
        case "float32":
            width = 4
        case "float16" | "bfloat16":
            width = 2
    match optimizer:
        case "SGD":
            per = 0
        case "SGD+momentum":
            per = 4
        case "AdamW":
            per = 8
        case _:
            raise ValueError(optimizer)
    mb = lambda b: b / 1048576
    return {
        "parameters": mb(parameters * width),
        "gradients": mb(parameters * width),
        "master": mb(parameters * 4) if master_weights else 0,
        "optimizer": mb(parameters * per),
        "activations": mb(activations * width),
    }


def matmul_tflops(n, milliseconds):
    return (n * n * n + n * n * n) / (milliseconds / 1_000) / 1_000_000_000_000


fp32_adamw_mb, bf16_master_mb, bf16_inference_mb, achieved_tflops = 762.9, 762.9, 95.4, 11.5
