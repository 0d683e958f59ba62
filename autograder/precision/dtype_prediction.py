"""Checks of precision/dtype_prediction: every expected dtype is PyTorch's own answer under CUDA autocast's rules."""

from courselib import judge
from courselib.checks import check
from courselib.oracles.operations import OPERATIONS, Row, program_dtypes, result_dtypes, rule_of
from courselib.text import say

OK_FORMAT = False
name = "dtype_prediction"
points = None

EVERY_OPERATION: tuple[Row, ...] = tuple(
    (op, ("float16", "float32", "float32")[: len(operation.shapes)], "float16") for op, operation in OPERATIONS.items()
)
REASONS = {
    "h": say(
        "linear আছে lower-precision তালিকায়: x আর weight-এর float16 কপি গুণ হয়।",
        "linear is on the lower-precision list: float16 copies of x and of the weight are multiplied.",
    ),
    "weight": say(
        "autocast weight-এর একটি সাময়িক কপি বদলায়; parameter নিজে যেমন ছিল তেমনই থাকে।",
        "Autocast casts a temporary copy of the weight; the parameter itself stays as it was.",
    ),
    "loss": say(
        "mse_loss আছে float32 তালিকায়: h আর y দুটিই আগে float32 হয়।",
        "mse_loss is on the float32 list: h and y both become float32 first.",
    ),
    "weight_grad": say(
        "backward-এ weight-এর cast-টিও উল্টো পথে যায়, তাই gradient-এর dtype হয় parameter-এর dtype।",
        "Backward undoes the cast of the weight as well, so the gradient has its parameter's dtype.",
    ),
}
RULES = {
    "off": say(
        "autocast None, তাই কোনো তালিকা খাটে না: ইনপুটগুলোর সবচেয়ে চওড়া dtype-ই ফলের dtype।",
        "Autocast is None, so no list applies: the result has the widest of its inputs' dtypes.",
    ),
    "float64": say(
        "autocast float64 tensor ছোঁয় না, আর float64-ই সবচেয়ে চওড়া।",
        "Autocast never touches a float64 tensor, and float64 is the widest.",
    ),
    "lower_precision": say(
        "{op} আছে autocast-এর lower-precision তালিকায়: ইনপুট আগে autocast-এর dtype-এ যায়, ফলও সেই dtype-এ আসে।",
        "{op} is on autocast's lower-precision list: its inputs go to the autocast dtype first, and so does the result.",
    ),
    "float32": say(
        "{op} আছে autocast-এর float32 তালিকায়: ইনপুট যা-ই হোক আগে float32 হয়, ফলও।",
        "{op} is on autocast's float32 list: whatever its inputs are, they become float32 first, and so does the result.",
    ),
    "own": say(
        "{op} এই দুই তালিকার কোনোটিতে নেই: autocast কিছু বদলায় না, ফল থাকে ইনপুটের dtype-এ।",
        "{op} is on neither list: autocast changes nothing, and the result keeps its input's dtype.",
    ),
    "widest": say(
        "{op} এই দুই তালিকার কোনোটিতে নেই: ফল আসে ইনপুটগুলোর মধ্যে সবচেয়ে চওড়া dtype-এ।",
        "{op} is on neither list: the result comes in the widest of its inputs' dtypes.",
    ),
}


def predict(predictions: object, key: str, *, device: str = "cpu", tell: bool = True) -> None:
    """Judge one prediction of the program; `tell` also says the right dtype."""
    what = f'predictions["{key}"]'
    came = judge.dtype_name(judge.mapping(predictions, [key], "predictions")[key], what)
    expected = program_dtypes(device)[key]
    judge.require(came == expected, *_sentence(tell), what=what, expected=expected, came=came, reason=REASONS[key])


def compare(autocast_dtype: object, rows: tuple[Row, ...], *, device: str = "cpu", tell: bool = True) -> None:
    """Judge the student's function on `rows`; `tell` also says the right dtype."""
    function = judge.function(autocast_dtype, "autocast_dtype")
    answers = function.each([(op, list(dtypes), autocast) for op, dtypes, autocast in rows])
    for (op, dtypes, autocast), expected, answer in zip(rows, result_dtypes(rows, device), answers, strict=True):
        what = function.shown((op, list(dtypes), autocast), {})
        came = judge.dtype_name(answer, what)
        if came != expected:
            reason = RULES[rule_of(op, dtypes, autocast)].fill(op=op)
            raise judge.wrong(*_sentence(tell), what=what, expected=expected, came=came, reason=reason)


def _sentence(tell: bool) -> tuple[str, str]:
    if tell:
        return "{what}: {expected} হওয়ার কথা, এসেছে {came}। {reason}", "{what}: expected {expected}, {came} came. {reason}"
    return "{what}: {came} ঠিক নয়। {reason}", "{what}: {came} is not right. {reason}"


def calls(autocast: str | None, *lines: str) -> tuple[Row, ...]:
    """Return a row for each call; a line holds calls with commas between, each an operation and its inputs' dtypes."""
    split = (call.split() for line in lines for call in line.split(","))
    return tuple((op, tuple(dtypes), autocast) for op, *dtypes in split)


@check("program", "1/2", bn="linear-এর ফল h-এর dtype ঠিক", en="The dtype of h, the output of linear, is right")
def program_h(predictions: object) -> None:
    predict(predictions, "h")


@check("program", "1/2", bn="backward-এর পরেও weight-এর dtype ঠিক", en="The dtype of the weight, after backward too, is right")
def program_weight(predictions: object) -> None:
    predict(predictions, "weight")


@check("program", "1/2", bn="mse_loss-এর ফল loss-এর dtype ঠিক", en="The dtype of loss, the output of mse_loss, is right", hidden=True)
def program_loss(predictions: object) -> None:
    predict(predictions, "loss", tell=False)


@check("program", "1/2", bn="weight-এর gradient-এর dtype ঠিক", en="The dtype of the weight's gradient is right", hidden=True)
def program_weight_grad(predictions: object) -> None:
    predict(predictions, "weight_grad", tell=False)


@check("operations", 1, bn="linear, matmul আর conv2d চলে autocast-এর dtype-এ", en="linear, matmul and conv2d run in the autocast dtype")
def products(autocast_dtype: object) -> None:
    same = "linear float32 float32, matmul float32 float32, conv2d float32 float32, matmul float16 float16, linear bfloat16 bfloat16"
    mixed = "conv2d float16 float32, linear float16 float32, mm float32 float16"
    compare(autocast_dtype, (*calls("float16", same, mixed), *calls("bfloat16", "linear float32 float32, conv2d float32 float32")))


@check("operations", 1, bn="softmax, norm, loss, যোগফল আর exp চলে float32-এ", en="Softmax, norms, losses, sums and exp run in float32")
def float32_operations(autocast_dtype: object) -> None:
    half = "softmax float16, log_softmax float16, layer_norm float16, cross_entropy float16, sum float16, exp bfloat16"
    compare(autocast_dtype, calls("float16", half, "mse_loss float16 float16, mse_loss float16 float32, softmax float32"))


@check("operations", 1, bn="relu, gelu, mean আর sqrt ইনপুটের dtype রাখে", en="relu, gelu, mean and sqrt keep their input's dtype")
def own_dtype(autocast_dtype: object) -> None:
    half = "relu float16, gelu float16, mean float16, sqrt float16, relu bfloat16"
    compare(autocast_dtype, calls("float16", half, "relu float32, gelu float32, mean float32, sqrt float32"))


@check("operations", 1, bn="add আর cat-এ সবচেয়ে চওড়া dtype জেতে", en="In add and cat the widest dtype wins")
def mixed_inputs(autocast_dtype: object) -> None:
    mixed = "add float16 float32, add float32 float16, cat float32 float16, cat float16 float32, mul float16 float32"
    compare(autocast_dtype, calls("float16", mixed, "add float16 float16, cat float16 float16, add float32 float32, cat bfloat16 bfloat16"))


@check("operations", "1/2", bn="autocast None হলে কোনো তালিকা খাটে না", en="With autocast None no list applies", hidden=True)
def autocast_off(autocast_dtype: object) -> None:
    listed = "linear float32 float32, matmul float16 float16, conv2d bfloat16 bfloat16, softmax float16, sum bfloat16, layer_norm float16"
    compare(autocast_dtype, calls(None, listed, "relu float16, add float16 float32, mse_loss float16 float32, exp float64"), tell=False)


@check("operations", "1/2", bn="bfloat16 autocast-এও একই নিয়ম", en="The same rules hold under bfloat16 autocast", hidden=True)
def bfloat16_autocast(autocast_dtype: object) -> None:
    listed = "linear float32 float32, matmul float16 float16, conv2d bfloat16 float32, softmax bfloat16, sum float16"
    others = "relu float32, gelu float16, mean bfloat16, add bfloat16 float32, cat bfloat16 bfloat16, mse_loss bfloat16 bfloat16"
    compare(autocast_dtype, calls("bfloat16", listed, others), tell=False)


@check("operations", "1/2", bn="float64 ইনপুট float64-ই থাকে", en="A float64 input stays float64", hidden=True)
def float64_untouched(autocast_dtype: object) -> None:
    listed = "linear float64 float64, matmul float64 float64, softmax float64, sum float64, mse_loss float64 float64, rsqrt float64"
    others = "relu float64, mean float64, add float64 float16, cat float32 float64"
    compare(autocast_dtype, (*calls("float16", listed, others), *calls("bfloat16", listed)), tell=False)


@check("operations", "1/2", bn="sqrt/rsqrt, mean/sum-এর মতো জোড়া আলাদা", en="Pairs like sqrt/rsqrt and mean/sum are told apart", hidden=True)
def look_alikes(autocast_dtype: object) -> None:
    pairs = "sqrt float16, rsqrt float16, mean float16, sum float16, prod float16, mul float32 float32, mm float32 float32"
    others = "tanh float16, sigmoid float16, exp float16, log float16, gelu float16, l1_loss float16 float16, atan2 float16 float32"
    compare(autocast_dtype, calls("float16", pairs, others), tell=False)


@check("program", 1, bn="চারটি অনুমানই আসল GPU-র সঙ্গে মেলে", en="All four predictions agree with a real GPU", requires="cuda")
def program_on_gpu(predictions: object) -> None:
    for key in REASONS:
        predict(predictions, key, device="cuda", tell=False)


@check("operations", 1, bn="CALLS-এর সব নাম GPU-র সঙ্গে মেলে", en="Every name in CALLS agrees with a GPU", requires="cuda", hidden=True)
def every_operation_on_gpu(autocast_dtype: object) -> None:
    compare(autocast_dtype, EVERY_OPERATION, device="cuda", tell=False)
