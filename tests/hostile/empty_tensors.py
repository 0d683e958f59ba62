import torch


def double(x):
    return torch.empty(0)


answer = torch.ones(5, 5)


def three():
    return torch.ones(3)
