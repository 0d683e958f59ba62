# fails: order_trains order_adamw order_five_of_six clipping_trains clipping_adamw
# The lines of code are given in place of the names.
order = [
    "x, y = host_x.to(device), host_y.to(device)",
    "loss = mse_loss(model(x), y)",
    "optimizer.zero_grad()",
    "scaler.scale(loss).backward()",
    "scaler.step(optimizer)",
    "scaler.update()",
]
order_with_clipping = [*order[:4], "scaler.unscale_(optimizer)", "clip_grad_norm_(model.parameters(), 0.05)", *order[4:]]
