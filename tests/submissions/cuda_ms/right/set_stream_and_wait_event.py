import statistics

import torch


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps")
    main, side = torch.cuda.current_stream(), torch.cuda.Stream(priority=-1)
    ready = main.record_event()
    side.wait_event(ready)
    torch.cuda.set_stream(side)
    try:
        for _ in range(warmup):
            fn()
        pairs = []
        for _ in range(reps):
            a, b = [torch.cuda.Event(enable_timing=True) for _ in "ab"]
            side.record_event(a)
            fn()
            side.record_event(b)
            pairs.append((a, b))
        done = torch.cuda.Event()
        done.record()
        done.synchronize()
    finally:
        torch.cuda.set_stream(main)
    return statistics.median(a.elapsed_time(b) for a, b in pairs)
