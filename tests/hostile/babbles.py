import os

for fd in range(3, 20):
    try:
        os.write(fd, os.urandom(2**16))
    except OSError:
        pass
