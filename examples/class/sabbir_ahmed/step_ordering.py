order = """
    zero_grad
    move_batch
    forward
    backward
    step
    update
""".split()
order_with_clipping = """
    zero_grad
    move_batch
    forward
    backward
    unscale
    clip
    step
    update
""".strip().splitlines()
