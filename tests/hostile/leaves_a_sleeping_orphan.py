import os, signal, time


def leave():
    if os.fork() == 0:
        os.setsid()
        for n in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(n, signal.SIG_IGN)
        if os.fork() == 0:
            time.sleep(10**6)
        os._exit(0)


leave()


def double(x):
    leave()
    os._exit(0)


def three():
    leave()
    time.sleep(10**6)


answer = 0
