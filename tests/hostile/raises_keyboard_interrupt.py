def double(x):
    raise KeyboardInterrupt


def three():
    raise GeneratorExit


answer = 0
