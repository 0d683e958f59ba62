import os, struct

body = b"[{\"value\":[" + b"[]," * 2_500_000 + b"0]},[]]"
data = struct.pack(">II", len(body), 0) + body
while data:
    data = data[os.write(3, data) :]
answer = 0
