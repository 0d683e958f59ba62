# fails: median_of_reps call_count
# The file refuses to load where there is no GPU, although cuda_ms would be checked on a simulated one.
import torch

if not torch.cuda.is_available():
    raise RuntimeError("this exercise needs a GPU")


def cuda_ms(fn, warmup=3, reps=20):
    return 0.0
