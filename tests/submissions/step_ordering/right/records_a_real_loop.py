import torch
from torch.nn import functional as F

done = []


def note(name):
    if name not in done:
        done.append(name)


def train(clip):
    done.clear()
    model = torch.nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    for _ in range(2):
        x, y = torch.randn(4, 3).to("cpu"), torch.randn(4, 1).to("cpu")
        note("move_batch")
        optimizer.zero_grad()
        note("zero_grad")
        with torch.autocast("cpu", dtype=torch.float16):
            loss = F.mse_loss(model(x), y)
        note("forward")
        scaler.scale(loss).backward()
        note("backward")
        if clip:
            scaler.unscale_(optimizer)
            note("unscale")
            torch.nn.utils.clip_grad_norm_(model.parameters(), 0.05)
            note("clip")
        scaler.step(optimizer)
        note("step")
        scaler.update()
        note("update")
    return list(done)


order = train(clip=False)
order_with_clipping = train(clip=True)
print("order:", *order, sep="\n  ")
