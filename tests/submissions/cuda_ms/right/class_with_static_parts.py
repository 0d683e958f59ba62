import torch


class Timing:
    Event = torch.cuda.Event
    Other = torch.Event
    wait = staticmethod(torch.cuda.synchronize)

    @classmethod
    def measure(cls, fn):
        a, b = cls.Event(enable_timing=True), cls.Event(enable_timing=True)
        spare = cls.Other(device="cuda")
        a.record()
        fn()
        b.record()
        spare.record()
        spare.synchronize()
        cls.wait()
        return a.elapsed_time(b)

    @classmethod
    def cuda_ms(cls, fn, warmup=3, reps=20):
        if reps < 1:
            raise ValueError("reps")
        times = [cls.measure(fn) for _ in range(warmup + reps)][warmup:]
        return torch.tensor(times, dtype=torch.float64).sort().values[reps // 2].item()


cuda_ms = Timing.cuda_ms
