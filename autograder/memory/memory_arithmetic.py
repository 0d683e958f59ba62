"""Checks of memory/memory_arithmetic: every expected value is counted on tensors that PyTorch made."""

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise, product
from typing import Any

from courselib import judge
from courselib.checks import check
from courselib.oracles import memory
from courselib.text import Text, say

OK_FORMAT = False
name = "memory_arithmetic"
points = None

TOLERANCE = 0.1  # MB or TFLOP/s, as the text promises
SLACK = 16.0  # MB: the GPU's allocator may round each of the 15 large tensors up by almost 1 MB
LESSON_ACTIVATIONS = memory.BATCH * (1024 + 4 * 4096 + 1024)  # x, Z1, H1, Z2, H2, out
FIFTY_MILLION = 50_000_000

RULES = {
    "parameters": say(
        "প্রতিটি parameter dtype-এর একটি সংখ্যা: float32-এ 4 byte, float16 আর bfloat16-এ 2।",
        "Every parameter is one number of the dtype: 4 bytes in float32, 2 in float16 and bfloat16.",
    ),
    "gradients": say("প্রতিটি parameter-এর gradient-ও dtype-এর একটি সংখ্যা।", "Every parameter has a gradient, one number of the dtype."),
    "master": say(
        "master_weights=True হলে parameter প্রতি একটি float32 সংখ্যা, না হলে 0।",
        "With master_weights=True there is one float32 number per parameter, else 0.",
    ),
    "optimizer": say(
        "optimizer state সব সময় float32; SGD কিছুই রাখে না, momentum একটি গড় রাখে, AdamW gradient-এর আর তার বর্গের গড়।",
        "Optimizer states are always float32; SGD keeps none, momentum one average, AdamW those of the gradient and of its square.",
    ),
    "activations": say(
        "activations হলো কয়টি সংখ্যা, তার গণনা; প্রতিটি dtype-এর মাপের, আর কিছু দিয়ে গুণ হয় না।",
        "activations counts numbers, each as wide as the dtype; nothing else multiplies it.",
    ),
}
COARSE = say("ভগ্নাংশটি হারিয়ে গেছে; এক ঘর দশমিক অন্তত রাখো।", "The fraction is lost; keep one decimal at least.")
COUNT_RULE = say("কোন layer-এর weight বা bias বাদ পড়েছে, নাকি দুবার এসেছে?", "Which weight or bias is left out, or counted twice?")
TOTAL_RULE = say("প্রতি parameter-এ কী কী থাকে, কত byte করে, আবার গোনো।", "Count again what each parameter needs, and in how many bytes.")
INFERENCE_RULE = say(
    "Inference-এ শুধু bfloat16 weight থাকে; gradient, state বা master নয়।",
    "Inference keeps the bfloat16 weights alone: no gradients, states or master.",
)
FLOP_RULE = say("2 * n**3 FLOP-কে সেকেন্ড দিয়ে, তারপর 10**12 দিয়ে ভাগ করো।", "Divide 2 * n**3 FLOP by the seconds, then by 10**12.")

MB_SLIPS = [
    (memory.MB, say("এটি byte; 2**20 দিয়ে ভাগ করো।", "These are bytes; divide by 2**20.")),
    (memory.MB / 1e6, say("এখানে 1 MB মানে 2**20 byte, 10**6 নয়।", "1 MB here is 2**20 bytes, not 10**6.")),
    (memory.MB / 1024e3, say("1 MB মানে 1024 * 1024 byte, 1000 * 1024 নয়।", "1 MB is 1024 * 1024 bytes, not 1000 * 1024.")),
    (1024, say("এটি KB; MB চাই।", "These are KB; MB is wanted.")),
    (1 / 1024, say("এটি GB; MB চাই।", "These are GB; MB is wanted.")),
]
FLOP_SLIPS = [
    (1 / 2, say("প্রতিটি গুণের সঙ্গে একটি যোগও আছে: 2 * n**3।", "Every multiplication comes with an addition: 2 * n**3.")),
    (1e-3, say("সময়টি millisecond-এ; সেকেন্ড বানিয়ে নাও।", "The time is in milliseconds; turn it into seconds.")),
    (1e3, say("এটি GFLOP/s; TFLOP/s চাই।", "These are GFLOP/s; TFLOP/s is wanted.")),
    (1e12, say("এটি FLOP/s; 10**12 দিয়ে ভাগ করো।", "These are FLOP/s; divide by 10**12.")),
    (1e12 / 2**40, say("tera মানে 10**12, 2**40 নয়।", "Tera is 10**12, not 2**40.")),
]


def near(
    value: object, expected: float, what: str, slips: Iterable[tuple[float, Text]], rule: Text, *, told: bool, fit: float = 5e-3
) -> None:
    """Fail unless `value` is within the tolerance; where not `told`, the expected number stays with us.

    The first of `slips` that the value fits is named as the cause, else the rule.
    """
    real = judge.number(value, what)
    if abs(real - expected) <= TOLERANCE:
        return
    coarse = real.is_integer() and abs(real - expected) < 1
    cause = COARSE if coarse else next((text for slip, text in slips if math.isclose(real, slip, rel_tol=fit)), rule)
    wanted = say(" ({e} হওয়ার কথা)", " (expected {e})", e=show(expected)) if told else ""
    bn, en = "{what}: {came} ঠিক নয়{wanted}। {cause}", "{what}: {came} is not right{wanted}. {cause}"
    raise judge.wrong(bn, en, what=what, came=show(real), wanted=wanted, cause=cause)


def show(real: float) -> str:
    """Return a number as a person reads it: counts in full, sizes to six digits."""
    return f"{real:,.12g}" if float(real).is_integer() else f"{real:.6g}"


def scaled(expected: float, slips: list[tuple[float, Text]]) -> Iterator[tuple[float, Text]]:
    """Yield the wrong value that each factor makes of the expected one."""
    return ((expected * factor, text) for factor, text in slips)


def count_slips(sizes: list[int]) -> Iterator[tuple[float, Text]]:
    """Yield the counts that a forgotten or doubled piece of the chain leads to."""
    weights = [a * b for a, b in pairwise(sizes)]
    total = sum(weights)
    yield total, say("bias বাদ পড়েছে।", "The biases are left out.")
    yield total - weights[-1] + sum(sizes[1:-1]), say("শেষ layer বাদ পড়েছে।", "The last layer is left out.")
    yield total - weights[0] + sum(sizes[2:]), say("প্রথম layer বাদ পড়েছে।", "The first layer is left out.")
    yield total + sum(sizes[:-1]), say("bias থাকে প্রতিটি output-এ, input-এ নয়।", "There is a bias per output, not per input.")
    yield total + sum(sizes), say("একেবারে প্রথম input-এর কোনো bias নেই।", "The very first inputs have no bias.")
    yield total + sum(sizes[1:-1]), say("শেষ layer-এর bias বাদ পড়েছে।", "The last layer's bias is left out.")
    yield total + len(weights), say("bias প্রতি layer-এ একটি নয়, প্রতি output-এ একটি।", "There is a bias per output, not one per layer.")


def judge_count(count_parameters: object, *chains: list[int], told: bool) -> None:
    """Compare the student's counts with those of real layers; each call gets a list of its own."""
    function = judge.function(count_parameters, "count_parameters")
    for sizes, count in zip(chains, function.each([(list(sizes),) for sizes in chains]), strict=True):
        call, expected = function.shown((sizes,), {}), memory.parameter_count(tuple(sizes))
        near(judge.integer(count, call), expected, call, count_slips(sizes), COUNT_RULE, told=told, fit=0)


def five_numbers(training_memory: object, *args: Any, **kwargs: Any) -> dict[str, tuple[str, object]]:
    """Call the student's function; return what came for each kind, with the words that name it."""
    function = judge.function(training_memory, "training_memory")
    call = function.shown(args, kwargs)
    came = judge.mapping(function(*args, **kwargs), memory.KINDS, call)
    return {kind: (f'{call}["{kind}"]', came[kind]) for kind in memory.KINDS}


def judge_memory(training_memory: object, *args: Any, told: bool = True, **kwargs: Any) -> None:
    """Compare the student's five numbers for one call with the oracle's."""
    held = memory.training_memory(*args, **kwargs)
    for kind, (what, came) in five_numbers(training_memory, *args, **kwargs).items():
        near(came, held[kind], what, scaled(held[kind], MB_SLIPS), RULES[kind], told=told)


def judge_total(value: object, what: str, held: Mapping[str, float]) -> None:
    """Compare a typed number with the sum of what is held; the sum without one kind is a slip."""
    total = sum(held.values())
    alike = {mb: " / ".join(kind for kind in held if held[kind] == mb) for mb in held.values() if mb}
    lacking = [(total - mb, say("বাদ পড়েছে কি: {kinds}?", "Left out: {kinds}?", kinds=kinds)) for mb, kinds in alike.items()]
    near(value, total, what, [*scaled(total, MB_SLIPS), *lacking], TOTAL_RULE, told=False)


def judge_tflops(matmul_tflops: object, *settings: tuple[int, float], told: bool) -> None:
    """Compare the student's TFLOP/s with those of PyTorch's own FLOP count."""
    function = judge.function(matmul_tflops, "matmul_tflops")
    for setting, answer in zip(settings, function.each(settings), strict=True):
        expected = memory.matmul_tflops(*setting)
        near(answer, expected, function.shown(setting, {}), scaled(expected, FLOP_SLIPS), FLOP_RULE, told=told)


def judge_peak(training_memory: object, device: str) -> None:
    """Hold the student's sum against the peak of a real AdamW step, whose update makes one temporary per parameter."""
    step = memory.usage("AdamW", "float32", device)
    five = five_numbers(training_memory, step.parameters, "AdamW", step.activations)
    total = sum(judge.number(came, what) for what, came in five.values())
    room = memory.training_memory(step.parameters, "AdamW")["parameters"] + SLACK
    bn = "AdamW-এর একটি step-এ GPU-র চূড়া {peak:.1f} MB, তোমার যোগফল {total:.1f} MB; চূড়ার বেশি নয়, {room:.0f} MB-র বেশি কমও নয়।"
    en = "An AdamW step peaks at {peak:.1f} MB on the GPU, your sum is {total:.1f} MB; it may be lower, by at most {room:.0f} MB."
    judge.require(total - 1 <= step.peak <= total + room, bn, en, peak=step.peak, total=total, room=room)


def judge_steady(training_memory: object, device: str) -> None:
    """Hold the student's sums against what is still allocated after a real step, in float32 and with a master copy."""
    for optimizer, dtype in (("SGD+momentum", "float32"), ("AdamW", "bfloat16")):
        step = memory.usage(optimizer, dtype, device)
        five = five_numbers(training_memory, step.parameters, optimizer, 0, dtype, dtype != "float32")
        total = sum(judge.number(came, what) for what, came in five.values())
        bn = "{o}, {d}: সত্যিকার একটি step-এর পরে GPU-তে {steady:.1f} MB থেকে যায়; তোমার যোগফল {total:.1f} MB।"
        en = "{o}, {d}: after a real step {steady:.1f} MB stay on the GPU; your sum is {total:.1f} MB."
        judge.require(total - 1 <= step.steady <= total + SLACK, bn, en, o=optimizer, d=dtype, steady=step.steady, total=total)


@check("parameters", 1, bn="1024-4096-4096-1024 আর 784-10 chain গোনে", en="counts the chains 1024-4096-4096-1024 and 784-10")
def counts_known_chains(count_parameters: object) -> None:
    judge_count(count_parameters, list(memory.MLP), [784, 10], told=True)


@check("parameters", 1, hidden=True, bn="ছোট, লম্বা বা সরু, যেকোনো chain গোনে", en="counts any chain, short, long or narrow")
def counts_any_chain(count_parameters: object) -> None:
    chains = [10, 1], [1, 5], [64, 64, 64], [1, 1, 1, 1], [5, 7, 3, 11, 2], [300, 20, 1000, 20], [9, 8, 7, 6, 5, 4, 3, 2, 1, 2, 3]
    judge_count(count_parameters, *chains, told=False)


@check("training", "1/2", bn="float32-এ তিনটি optimizer-এর memory ঠিক", en="float32 memory is right for all three optimizers")
def three_optimizers(training_memory: object) -> None:
    for optimizer in memory.OPTIMIZERS:
        judge_memory(training_memory, memory.parameter_count(memory.MLP), optimizer, LESSON_ACTIVATIONS)


@check("training", "1/2", bn="দুটি argument-ই যথেষ্ট: float32, বাকি 0", en="two arguments are enough: float32, the rest 0")
def defaults(training_memory: object) -> None:
    for optimizer in memory.OPTIMIZERS:
        judge_memory(training_memory, FIFTY_MILLION, optimizer)


@check("training", "1/2", bn="float16-এ optimizer state ছাড়া বাকি সব অর্ধেক", en="float16 halves all but the optimizer states")
def half_precision(training_memory: object) -> None:
    judge_memory(training_memory, FIFTY_MILLION, "AdamW", 20_000_000, dtype="float16")
    judge_memory(training_memory, FIFTY_MILLION, "SGD+momentum", activations=30_000_000, dtype="float16")


@check("training", "1/2", bn="master_weights=True একটি float32 কপি যোগ করে", en="master_weights=True adds a float32 copy")
def master_copy(training_memory: object) -> None:
    judge_memory(training_memory, FIFTY_MILLION, "AdamW", dtype="bfloat16", master_weights=True)
    judge_memory(training_memory, FIFTY_MILLION, "SGD", dtype="float16", master_weights=True)


@check(
    "training", 1, hidden=True, bn="optimizer, dtype আর master কপির যেকোনো মিলে ঠিক", en="right for any optimizer, dtype and master copy"
)
def every_combination(training_memory: object) -> None:
    for optimizer, dtype, master in product(memory.OPTIMIZERS, ("float32", "float16", "bfloat16"), (False, True)):
        if dtype != "float32" or not master:
            judge_memory(training_memory, 40_527_462, optimizer, 16_410_214, dtype, master, told=False)
    judge_memory(training_memory, 123_456_789, "AdamW", master_weights=True, activations=87_654_321, dtype="float16", told=False)


@check("training", 1, requires="cuda", bn="GPU-তে মাপা চূড়া যোগফলের নিচে নামে না", en="the peak measured on a GPU is not below the sum")
def peak_on_gpu(training_memory: object) -> None:
    judge_peak(training_memory, "cuda")


@check("training", 1, requires="cuda", bn="step-এর পরে GPU-তে থাকা memory যোগফলের সমান", en="what stays on a GPU after a step is the sum")
def steady_on_gpu(training_memory: object) -> None:
    judge_steady(training_memory, "cuda")


@check("numbers", "1/2", bn="matmul_tflops পাঠের দুটি মাপে ঠিক", en="matmul_tflops is right for two measurements of the lesson")
def tflops_of_lesson(matmul_tflops: object) -> None:
    judge_tflops(matmul_tflops, (4096, 12), (4096, 17.571), told=True)


@check("numbers", "1/2", hidden=True, bn="matmul_tflops অন্য মাপেও ঠিক", en="matmul_tflops is right for other sizes and times")
def tflops_of_any_size(matmul_tflops: object) -> None:
    judge_tflops(matmul_tflops, (3000, 7), (5120, 6.4), (8192, 25.0), (1024, 0.5), told=False)


@check("numbers", "1/2", bn="fp32_adamw_mb ঠিক", en="fp32_adamw_mb is right")
def fp32_adamw(fp32_adamw_mb: object) -> None:
    judge_total(fp32_adamw_mb, "fp32_adamw_mb", memory.training_memory(FIFTY_MILLION, "AdamW"))


@check("numbers", "1/2", bn="bf16_master_mb ঠিক", en="bf16_master_mb is right")
def bf16_master(bf16_master_mb: object) -> None:
    judge_total(bf16_master_mb, "bf16_master_mb", memory.training_memory(FIFTY_MILLION, "AdamW", 0, "bfloat16", True))


@check("numbers", "1/2", bn="bf16_inference_mb ঠিক", en="bf16_inference_mb is right")
def bf16_inference(bf16_inference_mb: object) -> None:
    weights = memory.training_memory(FIFTY_MILLION, "AdamW", 0, "bfloat16")["parameters"]
    near(bf16_inference_mb, weights, "bf16_inference_mb", scaled(weights, MB_SLIPS), INFERENCE_RULE, told=False)


@check("numbers", "1/2", bn="achieved_tflops ঠিক", en="achieved_tflops is right")
def achieved(achieved_tflops: object) -> None:
    expected = memory.matmul_tflops(4096, 12)
    near(achieved_tflops, expected, "achieved_tflops", scaled(expected, FLOP_SLIPS), FLOP_RULE, told=False)
