import torch

predictions = {"h": torch.float16, "weight": torch.float32, "loss": torch.float32, "weight_grad": torch.float32}

float32_list = ["softmax", "log_softmax", "layer_norm", "group_norm", "mse_loss", "l1_loss", "cross_entropy", "nll_loss"]
float32_list += ["sum", "prod", "cumsum", "exp", "log", "pow", "rsqrt", "reciprocal", "softplus"]
lower_list = ["linear", "matmul", "mm", "bmm", "addmm", "conv1d", "conv2d", "prelu"]


def autocast_dtype(op, dtypes, autocast):
    tensors = [torch.empty(2, dtype=getattr(torch, name), device="meta") for name in dtypes]
    result = tensors[0].dtype
    for other in tensors[1:]:
        result = torch.result_type(torch.empty(2, dtype=result, device="meta"), other)
    if autocast is None or result == torch.double:
        return result
    if op in lower_list:
        return getattr(torch, autocast)
    return torch.float if op in float32_list else result
