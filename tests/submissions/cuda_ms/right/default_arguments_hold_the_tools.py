import torch


def cuda_ms(fn, warmup=3, reps=20, *, event=torch.cuda.Event, generic=torch.Event, wait=torch.cuda.synchronize):
    if reps < 1:
        raise ValueError("reps")
    for _ in range(warmup):
        fn()
    times = []
    for i in range(reps):
        make = event if i % 2 else lambda enable_timing: generic("cuda", enable_timing=enable_timing)
        a, b = make(enable_timing=True), make(enable_timing=True)
        a.record()
        fn()
        b.record()
        wait()
        times.append(a.elapsed_time(b))
    return sorted(times)[(reps - 1) // 2]
