import sys

sys.setrecursionlimit(10**9)


def double(x):
    return double(x)


answer = 0
