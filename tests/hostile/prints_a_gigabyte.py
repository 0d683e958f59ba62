def double(x):
    for _ in range(100):
        print("x" * 10**7)
    return 0


answer = 0
