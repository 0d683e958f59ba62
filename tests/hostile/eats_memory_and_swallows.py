import numpy


def double(x):
    kept = []
    while True:
        try:
            kept.append(numpy.ones(2**22))
        except MemoryError:
            return kept


answer = 0
