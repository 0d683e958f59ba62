import time


def double(x):
    time.sleep(10**6)


answer = 0
