def count_parameters(*args):
    (sizes,) = args
    return sum(a * b for a, b in zip(sizes, sizes[1:])) + sum(sizes[1:])


def training_memory(*args, **kwargs):
    settings = {"activations": 0, "dtype": "float32", "master_weights": False}
    settings.update(zip(("parameters", "optimizer", "activations", "dtype", "master_weights"), args))
    settings.update(kwargs)
    P, A = settings["parameters"], settings["activations"]
    width = len({"float32": "4444"}.get(settings["dtype"], "22"))
    bytes_ = dict(parameters=P * width, gradients=P * width, master=0, optimizer=0, activations=A * width)
    if settings["master_weights"]:
        bytes_["master"] += 4 * P
    bytes_["optimizer"] += {"SGD": 0, "SGD+momentum": 4, "AdamW": 8}[settings["optimizer"]] * P
    return {key: value / 2**20 for key, value in bytes_.items()}


def matmul_tflops(*args):
    n, ms = args
    return 2 * n**3 / ms / 1e9


fp32_adamw_mb = 762.95
bf16_master_mb = 762.95
bf16_inference_mb = 95.3
achieved_tflops = 11.4
