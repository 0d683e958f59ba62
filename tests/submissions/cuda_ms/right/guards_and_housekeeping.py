import gc
import logging
import statistics
import time

import torch

log = logging.getLogger(__name__)


@torch.no_grad()
def cuda_ms(fn, warmup=3, reps=20):
    if not torch.cuda.is_available():
        raise RuntimeError("no GPU")
    if reps < 1:
        raise ValueError("reps")
    torch.cuda.init()
    torch.cuda.set_device(0)
    torch.manual_seed(0)
    assert torch.cuda.current_device() < torch.cuda.device_count()
    log.warning("%s %s %s", torch.cuda.get_device_name(0), torch.cuda.get_device_capability(), time.strftime("%H"))
    gc.collect()
    gc.disable()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    try:
        with torch.cuda.device(0), torch.cuda.nvtx.range("timing"):
            began = time.perf_counter()
            for _ in range(warmup):
                fn()
            pairs = []
            for i in range(reps):
                torch.cuda.nvtx.range_push(f"rep {i}")
                pair = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
                pair[0].record()
                fn()
                pair[1].record()
                torch.cuda.nvtx.range_pop()
                pairs.append(pair)
            torch.cuda.synchronize()
            print(f"{time.perf_counter() - began:.3f} s in all, {torch.cuda.max_memory_allocated() >> 20} MB")
    finally:
        gc.enable()
    return statistics.median(a.elapsed_time(b) for a, b in pairs)
