"""Quizzes for tests: a course with one, and each kind of question built from a few lines."""

from __future__ import annotations

import textwrap
from pathlib import Path

import made

from courselib.quiz.built import Built, build
from courselib.quiz.source import load

HEAD = "title: {bn: ডেমো, en: Demo}\nabout: {bn: একটি ছোট quiz, en: A small quiz}\nquestions:\n"

CHOICE = """
id: async
type: choice
ask: {bn: "কেন এত কম?", en: "Why so little?"}
hints: [{bn: launch-এর কথা ভাবো।, en: Think of the launch.}]
choices:
  - id: early
    text: {bn: মাপা আগে থেমেছে, en: The clock stopped early}
    right: true
    why: {bn: launch asynchronous।, en: A launch is asynchronous.}
  - {id: fast, text: {bn: GPU খুব দ্রুত, en: The GPU is that fast}, why: {bn: এত দ্রুত কোনো GPU নয়।, en: No GPU is that fast.}}
  - {id: cache, text: {bn: cache থেকে এসেছে, en: It came from a cache}, why: {bn: matmul cache হয় না।, en: A matmul is not cached.}}
"""
CHOICES = """
id: kept
type: choices
points: 2
ask: {bn: "কী কী float32-এ থাকে?", en: "What stays in float32?"}
choices:
  - id: weight
    text: {bn: ওজন, en: the weights}
    right: true
    why: {bn: হ্যাঁ, en: "yes"}
    left_out: {bn: ওজন বাদ গেছে, en: the weights are left out}
  - id: loss
    text: {bn: ক্ষতি, en: the loss}
    right: true
    why: {bn: হ্যাঁ, en: "yes"}
    left_out: {bn: loss বাদ গেছে, en: the loss is left out}
  - {id: linear, text: {bn: linear-এর ফল, en: the output of linear}, why: {bn: না, en: "no"}}
  - {id: conv, text: {bn: conv-এর ফল, en: the output of conv}, why: {bn: না, en: "no"}}
"""
NUMBER = """
id: memory
type: number
ask: {bn: "{{p}}টি parameter-এর জন্য কত MB?", en: "How many MB for {{p}} parameters?"}
given: {p: [50000000, 7000000, 25000000]}
answer: p * 16 / 2**20
tolerance: {absolute: 0.1}
unit: MB
units: {GB: 1024}
slips:
  - {id: no_states, value: p * 8 / 2**20, why: {bn: optimizer বাদ গেছে।, en: The optimizer is left out.}}
why: {bn: "`{{p}} * 16 / 2**20` = {{answer}} MB।", en: "`{{p}} * 16 / 2**20` = {{answer}} MB."}
"""
ORDER = """
id: step
type: order
ask: {bn: ধাপগুলো সাজাও।, en: Put the steps in order.}
steps:
  - {id: move, text: "`x.to(device)`"}
  - {id: forward, text: {bn: সামনে, en: forward}, after: [move]}
  - {id: zero, text: "`zero_grad()`"}
  - {id: backward, text: "`backward()`", after: [forward, zero]}
  - {id: update, text: "`step()`", after: [backward]}
  - {id: half, text: "`model.half()`", extra: true, why: {bn: update হারায়।, en: It loses updates.}}
why: {bn: এটাই ক্রম।, en: That is the order.}
"""
DTYPES = """
id: types
type: dtypes
ask: {bn: dtype বলো।, en: Say the dtypes.}
policy: cuda
program: |
  x, layer = torch.randn(4, 8), torch.nn.Linear(8, 2)
  with torch.autocast("cuda"):
      h = layer(x)
      loss = F.mse_loss(h, torch.zeros(4, 2))
  loss.backward()
names:
  h: {bn: linear float16-এ।, en: linear runs in float16.}
  loss: {bn: loss float32-এ।, en: losses run in float32.}
  layer.weight.grad: {bn: parameter যেমন।, en: like its parameter.}
slips:
  - id: half_grad
    name: layer.weight.grad
    dtype: half
    why: {bn: grad তার parameter-এর dtype পায়।, en: a gradient has its parameter's dtype.}
"""
SHAPE = """
id: conv
type: shape
ask: {bn: "shape কী?", en: "What is its shape?"}
program: |
  y = F.conv2d(torch.zeros(8, 3, 32, 32), torch.zeros(16, 3, 3, 3))
name: y
slips: [{id: padded, shape: [8, 16, 32, 32], why: {bn: padding নেই।, en: There is no padding.}}]
why: {bn: 32 - 3 + 1 = 30।, en: 32 - 3 + 1 = 30.}
"""
REVEAL = """
id: think
type: reveal
ask: {bn: "কেন?", en: "Why?"}
model: {bn: কারণ আছে।, en: For a reason.}
"""
ALL = (CHOICE, CHOICES, NUMBER, ORDER, DTYPES, SHAPE, REVEAL)


def text(*questions: str) -> str:
    """Return a quiz file of some questions."""
    return HEAD + "".join("  - " + textwrap.indent(q.strip(), "    ").lstrip() + "\n" for q in questions)


def built(folder: Path, *questions: str) -> Built:
    """Build a quiz of some questions."""
    return build("demo", load(made.write(folder / "demo.yaml", text(*questions))))


def question(folder: Path, source: str) -> Built:
    """Build one question."""
    return dict(built(folder, source)["questions"][0])
