# জান্নাতুল ফেরদৌস
# আমার উত্তর: প্রতিটি ধাপ আলাদা করে লেখা
এক_মেগাবাইট = 2**20


def count_parameters(sizes):
    মোট = 0
    for ভেতরে, বাইরে in zip(sizes, sizes[1:]):
        মোট += ভেতরে * বাইরে  # weight
        মোট += বাইরে  # bias
    return মোট


def training_memory(parameters, optimizer, activations=0, dtype="float32", master_weights=False):
    if dtype == "float32":
        মাপ = 4
    else:
        মাপ = 2
    if optimizer == "AdamW":
        খাতা = 2
    elif optimizer == "SGD+momentum":
        খাতা = 1
    else:
        খাতা = 0
    ফল = {"parameters": parameters * মাপ, "gradients": parameters * মাপ, "activations": activations * মাপ}
    ফল["optimizer"] = parameters * 4 * খাতা
    ফল["master"] = 4 * parameters if master_weights else 0
    return {নাম: মান / এক_মেগাবাইট for নাম, মান in ফল.items()}


def matmul_tflops(n, milliseconds):
    সেকেন্ড = milliseconds / 1000
    return 2 * n * n * n / সেকেন্ড / 10**12


fp32_adamw_mb = 50_000_000 * (4 + 4 + 8) / এক_মেগাবাইট
bf16_master_mb = 50_000_000 * (2 + 2 + 4 + 8) / এক_মেগাবাইট
bf16_inference_mb = 50_000_000 * 2 / এক_মেগাবাইট
achieved_tflops = matmul_tflops(4096, 12)
