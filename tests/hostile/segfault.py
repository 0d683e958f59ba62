import ctypes


def double(x):
    ctypes.string_at(0)


answer = 0
