def double(x):
    n = 0
    while True:
        try:
            with open(f"f{n}", "wb") as f:
                f.write(b"x" * 2**20)
        except OSError:
            return n
        n += 1
        if n > 4000:
            return n


answer = 0
