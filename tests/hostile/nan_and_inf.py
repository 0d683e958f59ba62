def double(x):
    return float("nan")


answer = float("inf")


def three():
    return [float("nan")] * 3
