import os

for i in range(20_000):
    try:
        os.mkdir("d" * 200)
        os.chdir("d" * 200)
    except OSError:
        break
os.makedirs("closed/in")
os.mkdir("closed/shut", 0)
try:
    os.chmod("closed", 0)
except OSError:
    pass
answer = 0
