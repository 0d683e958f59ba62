# %% [markdown] lang="bn"
# # autocast-এ কোন dtype বেরোয়?
#
# Mixed precision মানে সব কিছু float16 করে ফেলা নয়। CUDA autocast প্রতিটি operation দেখে ঠিক করে, ইনপুট কোন dtype-এ গেলে হিসাবটি দ্রুত
# হবে অথচ ভেঙে পড়বে না। নিয়ম চারটি:
#
# 1. **Lower-precision তালিকা।** যে operation অজস্র গুণ আর যোগ দিয়ে গড়া (Tensor Core-এর কাজ), তার ইনপুট আগে autocast-এর dtype-এ
#    (float16 বা bfloat16) বদলায়; ফলও সেই dtype-এ।
# 2. **float32 তালিকা।** যেখানে অনেক সংখ্যা জমা হয়, কিংবা ফল খুব বড় বা খুব ছোট হতে পারে, সেখানে ইনপুট আগে float32 হয়; ফলও float32।
# 3. **তালিকার বাইরে।** autocast কিছুই করে না; ফল ইনপুটের dtype-এই থাকে।
# 4. **কয়েকটি ইনপুট, আলাদা dtype।** 1 আর 2 নম্বর তালিকার বাইরে হলে সবচেয়ে চওড়া dtype-টি জেতে, `torch.promote_types` যেমন বলে: float16
#    আর float32 মিলে float32, float16 আর bfloat16 মিলেও float32।
#
# দুটি কথা সব তালিকার উপরে। autocast কোনো float64 tensor ছোঁয় না। আর autocast বন্ধ থাকলে (`None`) কোনো তালিকা খাটে না, শুধু PyTorch-এর
# সাধারণ নিয়ম; চালু region-এর ভিতরে `torch.autocast("cuda", enabled=False)` লিখলেও ঠিক তা-ই হয়: tensor যে dtype-এ এসেছে, সেখান থেকে
# `None`।
#
# সাবধান: CPU-র autocast-এর তালিকা আলাদা। `torch.autocast("cpu")` চালিয়ে যা দেখবে, CUDA-তে তার অনেকটাই মিলবে না। প্রশ্ন সব CUDA
# autocast নিয়ে; উত্তর দিতে GPU লাগে না। কোন operation কোন তালিকায়, আগে নিজে ভাবো; পুরো তালিকা আছে PyTorch-এর documentation-এ,
# Automatic Mixed Precision পাতায়।

# %% [markdown] lang="en"
# # Which dtype comes out of autocast?
#
# Mixed precision does not turn everything into float16. For each operation CUDA autocast decides which dtype its inputs should have so
# that the work is fast and still does not break. There are four rules:
#
# 1. **The lower-precision list.** Operations made of very many multiplications and additions (work for Tensor Cores) get their inputs
#    cast to the autocast dtype (float16 or bfloat16) first; the result has that dtype.
# 2. **The float32 list.** Where many numbers are gathered up, or a result may be very large or very small, the inputs become float32
#    first; so does the result.
# 3. **On neither list.** Autocast does nothing; the result keeps its input's dtype.
# 4. **Several inputs of different dtypes.** Off lists 1 and 2 the widest dtype wins, as `torch.promote_types` says: float16 and float32
#    make float32, and so do float16 and bfloat16.
#
# Two things stand above every list. Autocast never touches a float64 tensor. And with autocast off (`None`) no list applies, only
# PyTorch's ordinary rules; `torch.autocast("cuda", enabled=False)` inside an enabled region does just that: it is `None` from the
# dtypes that the tensors arrived in.
#
# Beware: CPU autocast has other lists. Much of what `torch.autocast("cpu")` shows you is not what CUDA does. Every question here is
# about CUDA autocast; no GPU is needed to answer. Think first which operation is on which list; the full lists stand in PyTorch's
# documentation, on the page on Automatic Mixed Precision.

# %% [markdown] lang="bn" part="program"
# ## একটি ছোট program
#
# ```python
# model = torch.nn.Linear(8, 4).to("cuda")                # parameter-গুলো float32
# x = torch.randn(16, 8, device="cuda")                   # float32
# y = torch.randn(16, 4, device="cuda")                   # float32
# with torch.autocast("cuda", dtype=torch.float16):
#     h = model(x)
#     loss = torch.nn.functional.mse_loss(h, y)
# loss.backward()
# ```
#
# এখন `h`, `model.weight`, `loss` আর `model.weight.grad`-এর dtype কী? `predictions` নামের dict-এ লেখো; key চারটি: `h`, `weight`, `loss`,
# `weight_grad`। মান হতে পারে `"float16"`, `"torch.float16"`, `"half"` কিংবা `torch.float16`; অন্য dtype-ও একইভাবে। চারটি আলাদা করে দেখা
# হয়।

# %% [markdown] lang="en" part="program"
# ## A small program
#
# ```python
# model = torch.nn.Linear(8, 4).to("cuda")                # parameters are float32
# x = torch.randn(16, 8, device="cuda")                   # float32
# y = torch.randn(16, 4, device="cuda")                   # float32
# with torch.autocast("cuda", dtype=torch.float16):
#     h = model(x)
#     loss = torch.nn.functional.mse_loss(h, y)
# loss.backward()
# ```
#
# What are the dtypes of `h`, `model.weight`, `loss` and `model.weight.grad` now? Write them into the dict `predictions` under the four
# keys `h`, `weight`, `loss`, `weight_grad`. A value may be `"float16"`, `"torch.float16"`, `"half"` or `torch.float16`, and likewise
# for other dtypes. Each of the four is checked on its own.

# %% part="program"
import torch

predictions = {"h": "float16", "weight": "float32", "loss": "float32", "weight_grad": "float32"}  # SOLUTION

# %% [markdown] lang="bn" part="operations"
# ## যেকোনো operation
#
# `autocast_dtype(op, dtypes, autocast)` লেখো: CUDA autocast `autocast`-এ (`"float16"`, `"bfloat16"` বা `None`) চললে `op`-এর ফল কোন
# dtype-এ আসে, তার নাম ফেরত দাও, যেমন `"float16"` (`torch.float16`-ও চলবে)।
#
# `op` নিচের `CALLS`-এর একটি নাম; পাশে লেখা আছে operation-টি ঠিক কীভাবে ডাকা হয় (`F` মানে `torch.nn.functional`)। `dtypes` একটি list:
# `a`, `b`, `c` নামের tensor-গুলোর dtype, এই ক্রমে; অর্থাৎ ডাকে যতগুলো অক্ষর, list-এ ততগুলো নাম। প্রতিটি নাম `"float16"`, `"bfloat16"`,
# `"float32"` বা `"float64"`। `classes` হলো শ্রেণির int64 নম্বর, তার dtype জিজ্ঞেস করা হয় না।
#
# যেখানে PyTorch নিজেই থেমে যায় (যেমন autocast ছাড়া float16 আর float32-এর `matmul`, কিংবা autocast-এ `binary_cross_entropy`), সেখানে
# কিছু জিজ্ঞেস করা হয় না। ঠিক উত্তর আসে PyTorch-এর নিজের কাছ থেকে। দেখা হয় প্রতিটি নিয়ম আলাদা করে, bfloat16 আর float64-এও, আর দেখতে
# একরকম অথচ নিয়মে আলাদা এমন operation।

# %% [markdown] lang="en" part="operations"
# ## Any operation
#
# Write `autocast_dtype(op, dtypes, autocast)`: under CUDA autocast to `autocast` (`"float16"`, `"bfloat16"` or `None`), in which dtype
# does the result of `op` come? Return its name, such as `"float16"` (`torch.float16` will do as well).
#
# `op` is one of the names in `CALLS` below; beside it stands how the operation is called (`F` is `torch.nn.functional`). `dtypes` is a
# list: the dtypes of the tensors called `a`, `b`, `c`, in this order, so the list has as many names as the call has letters. Each name
# is `"float16"`, `"bfloat16"`, `"float32"` or `"float64"`. `classes` are int64 class numbers, whose dtype is not asked.
#
# Nothing is asked where PyTorch itself stops (such as a `matmul` of float16 and float32 without autocast, or `binary_cross_entropy`
# under it). The right answers come from PyTorch itself. Each rule is checked on its own, with bfloat16 and float64 too, and so are
# operations that look alike and follow different rules.

# %% part="operations"
CALLS = {
    "add": "torch.add(a, b)",
    "addcmul": "torch.addcmul(a, b, c)",
    "addmm": "torch.addmm(a, b, c)",
    "atan2": "torch.atan2(a, b)",
    "bmm": "torch.bmm(a, b)",
    "cat": "torch.cat([a, b])",
    "conv1d": "F.conv1d(a, b)",
    "conv2d": "F.conv2d(a, b)",
    "cross_entropy": "F.cross_entropy(a, classes)",
    "cumsum": "torch.cumsum(a, dim=-1)",
    "dot": "torch.dot(a, b)",
    "dropout": "F.dropout(a)",
    "exp": "torch.exp(a)",
    "gelu": "F.gelu(a)",
    "group_norm": "F.group_norm(a, num_groups=2)",
    "l1_loss": "F.l1_loss(a, b)",
    "layer_norm": "F.layer_norm(a, a.shape[-1:])",
    "linear": "F.linear(a, b)",
    "log": "torch.log(a)",
    "log_softmax": "F.log_softmax(a, dim=-1)",
    "matmul": "torch.matmul(a, b)",
    "max_pool2d": "F.max_pool2d(a, kernel_size=2)",
    "mean": "torch.mean(a)",
    "mm": "torch.mm(a, b)",
    "mse_loss": "F.mse_loss(a, b)",
    "mul": "torch.mul(a, b)",
    "nll_loss": "F.nll_loss(a, classes)",
    "pow": "torch.pow(a, exponent=2)",
    "prelu": "F.prelu(a, b)",
    "prod": "torch.prod(a)",
    "reciprocal": "torch.reciprocal(a)",
    "relu": "F.relu(a)",
    "rsqrt": "torch.rsqrt(a)",
    "sigmoid": "torch.sigmoid(a)",
    "silu": "F.silu(a)",
    "softmax": "F.softmax(a, dim=-1)",
    "softplus": "F.softplus(a)",
    "sqrt": "torch.sqrt(a)",
    "stack": "torch.stack([a, b])",
    "sum": "torch.sum(a)",
    "tanh": "torch.tanh(a)",
}


def autocast_dtype(op: str, dtypes: list[str], autocast: str | None) -> str:
    """CUDA autocast-এ একটি operation-এর ফলের dtype-এর নাম ফেরত দাও।

    Return the name of the dtype in which an operation's result comes under CUDA autocast.

    op: CALLS-এর একটি নাম / one of the names in CALLS
    dtypes: ইনপুটের dtype-গুলোর নাম, a, b, c ক্রমে / names of the inputs' dtypes, in the order a, b, c
    autocast: "float16", "bfloat16", অথবা বন্ধ থাকলে None / or None where autocast is off
    """
    # BEGIN SOLUTION
    lower_precision = {"linear", "matmul", "mm", "bmm", "addmm", "conv1d", "conv2d", "prelu"}
    losses = {"mse_loss", "l1_loss", "cross_entropy", "nll_loss"}
    norms = {"softmax", "log_softmax", "layer_norm", "group_norm"}
    gathering = {"sum", "cumsum", "prod"}
    far_reaching = {"exp", "log", "pow", "rsqrt", "reciprocal", "softplus"}
    widest = getattr(torch, dtypes[0])
    for dtype in dtypes[1:]:
        widest = torch.promote_types(widest, getattr(torch, dtype))
    if autocast is None or widest == torch.float64:
        return str(widest).removeprefix("torch.")
    if op in lower_precision:
        return autocast
    if op in losses | norms | gathering | far_reaching:
        return "float32"
    return str(widest).removeprefix("torch.")
    # END SOLUTION
