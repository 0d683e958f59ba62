class Counter:
    def __init__(self, bias=True):
        self.bias = bias

    def __call__(self, sizes):
        it = iter(sizes)
        left, total = next(it), 0
        for right in it:
            total += (left + self.bias) * right
            left = right
        return total


class Memory:
    MB = 2.0**20
    STATES = {"SGD": (), "SGD+momentum": ("momentum_buffer",), "AdamW": ("exp_avg", "exp_avg_sq")}

    def __call__(self, parameters, optimizer, activations=0, dtype="float32", master_weights=False):
        self.width = {"float32": 4}.get(dtype, 2)
        return {name: getattr(self, name)(parameters, optimizer, activations, master_weights) / self.MB
                for name in ("parameters", "gradients", "master", "optimizer", "activations")}

    def parameters(self, p, *_):
        return p * self.width

    gradients = parameters

    def master(self, p, o, a, m):
        return p * 4 if m else 0

    def optimizer(self, p, o, *_):
        return 4 * p * len(self.STATES[o])

    def activations(self, p, o, a, m):
        return a * self.width


class Flops:
    @staticmethod
    def __call__(n, milliseconds):
        return 2e-9 * n**3 / milliseconds


count_parameters = Counter()
training_memory = Memory()
matmul_tflops = Flops()
fp32_adamw_mb = round(sum(training_memory(50_000_000, "AdamW").values()), 2)
bf16_master_mb = round(sum(training_memory(50_000_000, "AdamW", 0, "bfloat16", True).values()), 2)
bf16_inference_mb = round(training_memory(50_000_000, "AdamW", 0, "bfloat16")["parameters"], 2)
achieved_tflops = round(matmul_tflops(4096, 12), 2)
