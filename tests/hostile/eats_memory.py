def double(x):
    kept = []
    while True:
        kept.append(bytearray(2**24))


answer = 0
