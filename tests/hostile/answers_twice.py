import os


def double(x):
    os.fork()  # both come back into the worker's loop, and both answer
    return 0


def three():
    os.fork()
    return [1]


answer = 0
