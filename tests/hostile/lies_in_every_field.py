import sys, torch

serve = sys.modules["courselib.worker.serve"]
unprintable = torch.zeros(1, dtype=torch.uint8).view(torch.bits8)
MISHAP = {"kind": unprintable, "kinds": unprintable, "text": unprintable, "where": [unprintable], "line": True}
LIES = [
    {"mishap": MISHAP},
    {"value": {unprintable: unprintable, frozenset([1]): 2, (unprintable,): 3}},
    {"callback": unprintable, "args": unprintable, "kwargs": {1: 2}},
    {"callback": -1, "args": [], "kwargs": {}},
    {"cell": unprintable},
]
real = serve.Server._reply
turn = 0


def lie(self, reply):
    global turn
    turn += 1
    if turn == 1:
        held = {"double": {"function": 1}, "three": {"function": 1}, unprintable: 1, "answer": {"value": unprintable}}
        told = {"mishaps": [unprintable, MISHAP], "held": held, "left": [unprintable, 1], "notes": [unprintable]}
        return real(self, {"number": reply["number"], "value": told})
    for false in LIES[(turn - 2) % len(LIES) :]:
        self.channel.send({"number": reply["number"]} | false)


serve.Server._reply = lie


def double(x):
    return 0


answer = 0
