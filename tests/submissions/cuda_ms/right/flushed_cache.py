import torch


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps")
    cache = torch.empty(256 * 1024 * 1024 // 4, dtype=torch.int, device="cuda")
    small = torch.zeros(8).cuda() + torch.ones(8).to("cuda")
    for _ in range(warmup):
        fn()
    starts = [torch.cuda.Event(enable_timing=True) for _ in range(reps)]
    ends = [torch.cuda.Event(enable_timing=True) for _ in range(reps)]
    for i in range(reps):
        cache.zero_()
        small.add_(1)
        starts[i].record()
        fn()
        ends[i].record()
    torch.cuda.synchronize()
    assert small[0].item() == 1 + reps
    return torch.median(torch.tensor([s.elapsed_time(e) for s, e in zip(starts, ends)], device="cuda")).item()
