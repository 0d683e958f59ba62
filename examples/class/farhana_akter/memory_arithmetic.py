count_parameters = lambda s: sum(x * y + y for x, y in zip(s, s[1:]))
size = lambda d: 2 + 2 * (d == "float32")
training_memory = lambda parameters, optimizer, activations=0, dtype="float32", master_weights=False: {
    k: v / 2**20
    for k, v in {
        "parameters": parameters * size(dtype),
        "gradients": parameters * size(dtype),
        "master": parameters * 4 * master_weights,
        "optimizer": parameters * 4 * ["SGD", "SGD+momentum", "AdamW"].index(optimizer),
        "activations": activations * size(dtype),
    }.items()
}
matmul_tflops = lambda n, milliseconds: 2 * n**3 / milliseconds / 10**9
fp32_adamw_mb = 50 * 10**6 * 16 / 2**20
bf16_master_mb = 50 * 10**6 * 16 / 2**20
bf16_inference_mb = 50 * 10**6 * 2 / 2**20
achieved_tflops = 2 * 4096**3 / 0.012 / 1e12
