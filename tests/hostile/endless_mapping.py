from collections.abc import Mapping


class Endless(Mapping):
    def __getitem__(self, k):
        return k

    def __len__(self):
        return 1

    def __iter__(self):
        n = 0
        while True:
            yield n
            n += 1


answer = Endless()


def double(x):
    return Endless()


def three():
    while True:
        yield 1
