import sys

serve = sys.modules["courselib.worker.serve"]


def answer_wrongly(self, message):
    self.channel.send({"value": message, "number": message["number"]})
    self.channel.send({"value": [1, 1, 1], "number": message["number"]})
    return {"value": message.get("args"), "number": None}


def double(x):
    return 0


def three():
    return 0


serve.Server.answer = answer_wrongly
answer = 0
