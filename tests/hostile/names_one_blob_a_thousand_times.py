import json, os, struct

blob = bytes(2**20)
body = json.dumps([{"value": [{"$tensor": ["uint8", [2**20], 0]}] * 20_000}, [2**20]], separators=(",", ":")).encode()
data = struct.pack(">II", len(body), len(blob)) + body + blob
while data:
    data = data[os.write(3, data) :]
answer = 0
