import json, os, struct


def frame(m):
    body = json.dumps([m, []]).encode()
    return struct.pack(">II", len(body), 0) + body


for fd in range(3, 20):
    for _ in range(5):
        try:
            os.write(
                fd,
                frame(
                    {
                        "$dict": [
                            [
                                "value",
                                {
                                    "$dict": [
                                        ["mishaps", []],
                                        ["left", []],
                                        ["notes", []],
                                        ["held", {"$dict": [["answer", {"$dict": [["value", 3]]}]]}],
                                    ]
                                },
                            ]
                        ]
                    }
                ),
            )
        except OSError:
            break
