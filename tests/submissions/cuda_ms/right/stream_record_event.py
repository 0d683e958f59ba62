import torch


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps")
    st = torch.cuda.current_stream()
    for _ in range(warmup):
        fn()
    pairs = []
    for _ in range(reps):
        s = st.record_event(torch.cuda.Event(enable_timing=True))
        fn()
        e = st.record_event(torch.cuda.Event(enable_timing=True))
        pairs.append((s, e))
    st.synchronize()
    times = sorted(s.elapsed_time(e) for s, e in pairs)
    return (times[(reps - 1) // 2] + times[reps // 2]) / 2
