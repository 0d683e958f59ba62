import torch


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps")
    device = torch.accelerator.current_accelerator()
    for _ in range(warmup):
        fn()
    torch.accelerator.synchronize()
    times = []
    for _ in range(reps):
        start = torch.Event(device=device, enable_timing=True)
        end = torch.Event(device="cuda", enable_timing=True)
        start.record()
        fn()
        end.record()
        torch.accelerator.synchronize()
        times.append(start.elapsed_time(end))
    return torch.tensor(times).median()
