class Odd:
    def __repr__(self):
        raise SystemExit(0)

    def __str__(self):
        raise KeyboardInterrupt


class Bad(Exception):
    def __str__(self):
        raise SystemExit(0)


def double(x):
    raise Bad


def three():
    return Odd()


answer = Odd()
