# %% [markdown] lang="bn"
# # Training-এর memory হাতে-কলমে গোনা
#
# একটি model GPU-তে ধরবে কি না, তা জানতে GPU লাগে না; কাগজ-কলমই যথেষ্ট। Training-এর সময় প্রতিটি parameter একা আসে না।
# তার সঙ্গে থাকে তার gradient, আর থাকে optimizer-এর নিজের খাতা: সাধারণ SGD কিছুই লিখে রাখে না, momentum একটি চলমান গড় রাখে,
# AdamW রাখে দুটি (gradient-এর, আর gradient-এর বর্গের)। এর বাইরে আছে activation, অর্থাৎ forward-এর যে মাঝের সংখ্যাগুলো backward-এ আবার লাগে।
#
# একটি সংখ্যা কত জায়গা নেয় তা ঠিক করে dtype: float32-এ 4 byte, float16 আর bfloat16-এ 2 byte। অর্ধেক মাপের dtype-এ train করলে
# খুব ছোট update যেন হারিয়ে না যায়, সেজন্য weight-এর একটি float32 কপি রাখা যায়; তার নাম master copy। Optimizer-এর খাতা তখনও
# float32-এই থাকে।
#
# এই exercise-এ **1 MB = 2\*\*20 byte**।

# %% [markdown] lang="en"
# # Counting training memory by hand
#
# You need no GPU to find out whether a model fits on one; pencil and paper will do. During training no parameter travels alone.
# Its gradient comes along, and so do the optimizer's own notes: plain SGD writes nothing down, momentum keeps one running average,
# AdamW keeps two (of the gradient, and of the gradient squared). On top come the activations: numbers from the forward pass that the
# backward pass needs again.
#
# The dtype decides how much room one number takes: 4 bytes in float32, 2 bytes in float16 and bfloat16. When a model is trained in a
# 2-byte dtype, a float32 copy of its weights, the master copy, can be kept so that tiny updates are not lost. The optimizer's notes
# stay in float32 even then.
#
# In this exercise **1 MB = 2\*\*20 bytes**.

# %% [markdown] lang="bn" part="parameters"
# ## parameters: কয়টি parameter
#
# `count_parameters(sizes)` লেখো। `sizes` হলো পরপর বসানো `nn.Linear` layer-গুলোর মাপ: `[in, hidden..., out]`, অন্তত দুটি সংখ্যা।
# পাশাপাশি প্রতি দুটি মাপের মাঝে একটি layer, আর প্রতিটি layer-এ bias আছে। ফেরত দাও মোট parameter, একটি পূর্ণসংখ্যা।
#
# মিলিয়ে দেখো: 1024-4096-4096-1024 মাপের MLP-তে 25,175,040টি parameter। অন্য মাপের chain দিয়েও দেখা হবে, আর উত্তর হুবহু মিলতে হবে।

# %% [markdown] lang="en" part="parameters"
# ## parameters: how many there are
#
# Write `count_parameters(sizes)`. `sizes` are the widths of a chain of `nn.Linear` layers, `[in, hidden..., out]`: at least two numbers.
# One layer lies between each two neighbours, and every layer has a bias. Return the number of parameters, a whole number.
#
# To compare: the MLP 1024-4096-4096-1024 has 25,175,040 parameters. Chains of other widths are tried too, and the count must match exactly.

# %% part="parameters"
def count_parameters(sizes: list[int]) -> int:
    """পরপর বসানো Linear layer-এর (bias-সহ) মোট parameter গোনে; sizes = [in, hidden..., out]।

    Count the parameters of a chain of Linear layers with bias; sizes = [in, hidden..., out].
    """
    # BEGIN SOLUTION
    from itertools import pairwise

    return sum(inputs * outputs + outputs for inputs, outputs in pairwise(sizes))
    # END SOLUTION


# %% [markdown] lang="bn" part="training"
# ## training: কোথায় কত MB
#
# `training_memory` একটি dict ফেরত দেয়, যার মানগুলো MB-তে, আর পাঁচটি key সব সময়ই থাকে (যা নেই, তার মান 0):
#
# | key | কী | কোন dtype-এ |
# |---|---|---|
# | `parameters` | weight আর bias | `dtype` |
# | `gradients` | প্রতিটি parameter-এর gradient | `dtype` |
# | `master` | weight-এর কপি, শুধু `master_weights=True` হলে | float32 |
# | `optimizer` | optimizer-এর state | float32 |
# | `activations` | backward-এর জন্য রাখা সংখ্যা | `dtype` |
#
# - `parameters`: কয়টি parameter।
# - `optimizer`: `"SGD"`, `"SGD+momentum"` বা `"AdamW"`।
# - `activations`: মোট কয়টি সংখ্যা রাখা হয় (byte নয়; batch আগেই ধরা আছে); না দিলে 0।
# - `dtype`: `"float32"`, `"float16"` বা `"bfloat16"`; না দিলে `"float32"`।
# - `master_weights`: float32 কপি রাখা হবে কি না; না দিলে `False`।
#
# প্রতিটি মান 0.1 MB-র মধ্যে ঠিক হলেই চলবে, তাই এক ঘর দশমিকে round করতে পারো। AdamW প্রতি tensor-এ যে একটি step-গণনা রাখে, তা এত
# ছোট যে ধরা হয় না।
#
# GPU আছে এমন মেশিনে আরও দুটি check সত্যিকার একটি training step চালিয়ে মাপে, তারপর তোমার যোগফলের সঙ্গে মেলায়। AdamW-এর বেলায় চূড়াটি
# যোগফলের চেয়ে কিছুটা উঁচু হয়, কারণ কাজের মাঝে সে parameter-এর সমান একটি অস্থায়ী tensor বানায়: হাতের হিসাব সেখানে নিচের সীমা।
# GPU না থাকলে এই দুটি check পরে হওয়ার জন্য তোলা থাকে।

# %% [markdown] lang="en" part="training"
# ## training: how many MB go where
#
# `training_memory` returns a dict of values in MB. All five keys are always there (what is absent counts 0):
#
# | key | what it is | in which dtype |
# |---|---|---|
# | `parameters` | weights and biases | `dtype` |
# | `gradients` | the gradient of every parameter | `dtype` |
# | `master` | the copy of the weights, only with `master_weights=True` | float32 |
# | `optimizer` | the optimizer's states | float32 |
# | `activations` | numbers kept for the backward pass | `dtype` |
#
# - `parameters`: how many parameters there are.
# - `optimizer`: `"SGD"`, `"SGD+momentum"` or `"AdamW"`.
# - `activations`: how many numbers are kept in all (not bytes; the batch is already in it); 0 unless given.
# - `dtype`: `"float32"`, `"float16"` or `"bfloat16"`; `"float32"` unless given.
# - `master_weights`: whether the float32 copy is kept; `False` unless given.
#
# Each value may be off by 0.1 MB, so rounding to one decimal is fine. The step counter that AdamW keeps for each tensor is too small
# to be counted.
#
# On a machine with a GPU, two more checks measure a real training step and compare it with your sum. With AdamW the peak lies somewhat
# above the sum, because the optimizer makes a temporary tensor the size of the parameters while it works: a count by hand is a lower
# bound there. Without a GPU these two checks wait.


# %% part="training"
def training_memory(
    parameters: int,
    optimizer: str,
    activations: int = 0,
    dtype: str = "float32",
    master_weights: bool = False,
) -> dict[str, float]:
    """Training-এ কোন জিনিস কত MB (2**20 byte) নেয়, তার dict; parameters আর activations হলো কয়টি সংখ্যা।

    Return the MB (2**20 bytes) that each kind takes in training; parameters and activations are counts of numbers.
    """
    # BEGIN SOLUTION
    mb = 2**20
    width = 4 if dtype == "float32" else 2
    states = {"SGD": 0, "SGD+momentum": 1, "AdamW": 2}[optimizer]
    return {
        "parameters": parameters * width / mb,
        "gradients": parameters * width / mb,
        "master": parameters * 4 / mb if master_weights else 0.0,
        "optimizer": parameters * 4 * states / mb,
        "activations": activations * width / mb,
    }
    # END SOLUTION


# %% [markdown] lang="bn" part="numbers"
# ## numbers: কত দ্রুত, আর চারটি সংখ্যা
#
# n x n মাপের দুটি matrix গুণ করতে n\*n টি dot product লাগে, প্রতিটিতে n-টি গুণ আর প্রায় ততগুলো যোগ: মোট 2\*n\*\*3 FLOP।
# `matmul_tflops(n, milliseconds)` বলবে, এত millisecond-এ গুণটি হলে গতি কত TFLOP/s (1 TFLOP = 10\*\*12 FLOP); 0.1-এর মধ্যে ঠিক হলেই চলবে।
#
# তারপর চারটি সংখ্যা বসাও (MB-গুলো 0.1 MB, গতিটি 0.1 TFLOP/s পর্যন্ত ঠিক); সংখ্যা লিখতে পারো, হিসাবও লিখতে পারো। Model-এ 5 কোটি
# (50,000,000) parameter, activation বাদ:
#
# - `fp32_adamw_mb`: সবকিছু float32, AdamW দিয়ে training, মোট MB।
# - `bf16_master_mb`: weight আর gradient bfloat16, সঙ্গে float32 master copy আর AdamW-এর float32 state, মোট MB।
# - `bf16_inference_mb`: training নয়, শুধু bfloat16 weight রেখে inference, মোট MB।
# - `achieved_tflops`: 4096 x 4096 মাপের float32 matmul 12 ms-এ শেষ হলে TFLOP/s।
#
# প্রথম দুটি উত্তর পাশাপাশি রেখে ভাবো: mixed precision তাহলে ঠিক কোথায় memory বাঁচায়?

# %% [markdown] lang="en" part="numbers"
# ## numbers: how fast, and four numbers
#
# Multiplying two n x n matrices takes n\*n dot products, each of n multiplications and about as many additions: 2\*n\*\*3 FLOP in all.
# `matmul_tflops(n, milliseconds)` tells the speed in TFLOP/s (1 TFLOP = 10\*\*12 FLOP) of a product that took so many milliseconds, to
# within 0.1.
#
# Then fill in four numbers (MB to within 0.1 MB, the speed to within 0.1 TFLOP/s); write the number or the calculation. The model has
# 50,000,000 parameters; leave activations out:
#
# - `fp32_adamw_mb`: everything in float32, training with AdamW, MB in all.
# - `bf16_master_mb`: weights and gradients in bfloat16, plus the float32 master copy and AdamW's float32 states, MB in all.
# - `bf16_inference_mb`: no training, only the bfloat16 weights for inference, MB in all.
# - `achieved_tflops`: TFLOP/s if a float32 matmul of 4096 x 4096 is done in 12 ms.
#
# Look at the first two answers side by side: where, then, does mixed precision save memory?


# %% part="numbers"
def matmul_tflops(n: int, milliseconds: float) -> float:
    """n x n matmul এত millisecond নিলে গতি কত TFLOP/s।

    Return the TFLOP/s of an n x n matmul that took so many milliseconds.
    """
    # BEGIN SOLUTION
    seconds = milliseconds / 1000
    return 2 * n**3 / seconds / 1e12
    # END SOLUTION


fp32_adamw_mb = 762.9  # SOLUTION
bf16_master_mb = 762.9  # SOLUTION
bf16_inference_mb = 95.4  # SOLUTION
achieved_tflops = 11.5  # SOLUTION
