def six():
    yield "move_batch"
    yield from ("forward", "zero_grad")
    yield "backward"
    yield "step"
    yield "update"


def eight():
    for name in six():
        if name == "step":
            yield "unscale"
            yield "clip"
        yield name


order = six()
order_with_clipping = eight()
