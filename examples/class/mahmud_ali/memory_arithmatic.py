from functools import lru_cache, wraps
from types import MappingProxyType


def on_tuples(fn):
    fast = lru_cache(maxsize=None)(fn)

    @wraps(fn)
    def call(sizes):
        return fast(tuple(sizes))

    return call


@on_tuples
def count_parameters(sizes):
    return sum(sizes[i] * sizes[i + 1] + sizes[i + 1] for i in range(len(sizes) - 1))


@lru_cache
def training_memory(parameters, optimizer, activations=0, dtype="float32", master_weights=False):
    wide = parameters / 2**18
    scale = 1.0 if dtype == "float32" else 0.5
    return MappingProxyType({
        "parameters": wide * scale,
        "gradients": wide * scale,
        "master": wide if master_weights else 0.0,
        "optimizer": {"SGD": 0.0, "SGD+momentum": wide, "AdamW": 2 * wide}[optimizer],
        "activations": activations / 2**18 * scale,
    })


@lru_cache(maxsize=8)
def matmul_tflops(n, milliseconds):
    return 2 * n**3 / milliseconds / 1e9


fp32_adamw_mb = 762.9
bf16_master_mb = 762.9
bf16_inference_mb = 95.4
achieved_tflops = 11.5
