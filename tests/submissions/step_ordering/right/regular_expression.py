import re

loop = """
x, y = move_batch(host)
with autocast: loss = forward(x, y)
zero_grad()
scaled.backward()
scaler.unscale(optimizer)
clip(parameters)
scaler.step(optimizer)
scaler.update()
"""
order_with_clipping = re.findall(r"(\w+)\(", loop)
order = [name for name in order_with_clipping if not re.fullmatch("unscale|clip", name)]
