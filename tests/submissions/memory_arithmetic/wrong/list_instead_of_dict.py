# fails: three_optimizers defaults half_precision master_copy every_combination
# The five values are returned as a list.
def count_parameters(sizes):
    total = 0
    for inputs, outputs in zip(sizes, sizes[1:]):
        total += inputs * outputs + outputs
    return total


def training_memory(parameters, optimizer, activations=0, dtype="float32", master_weights=False):
    width = {"float32": 4, "float16": 2, "bfloat16": 2}[dtype]
    states = {"SGD": 0, "SGD+momentum": 1, "AdamW": 2}[optimizer]
    counts = [parameters * width, parameters * width, 4 * parameters * master_weights, 4 * parameters * states, activations * width]
    return [c / 2**20 for c in counts]


def matmul_tflops(n, milliseconds):
    return 2 * n**3 / (milliseconds / 1000) / 1e12


fp32_adamw_mb = 762.9
bf16_master_mb = 762.9
bf16_inference_mb = 95.4
achieved_tflops = 11.5
