# %% [markdown] lang="bn"
# # GPU-র সময় সৎভাবে মাপা
#
# `fn()` লিখলে CPU শুধু কাজটির ফরমাশ GPU-র লাইনে (stream) রেখে পরের লাইনে চলে যায়; এই ফরমাশ দেওয়াকে বলে launch। GPU কাজটি করে নিজের
# সময়ে। তাই CPU-র ঘড়ি, যেমন `time.perf_counter()`, অপেক্ষা না করলে দেখায় launch-এর কয়েক মাইক্রোসেকেন্ড; আর অপেক্ষা করলে launch আর
# অপেক্ষার খরচও যোগ হয়।
#
# **CUDA event** হলো সেই লাইনে রাখা একটি চিহ্ন: GPU যখন সেখানে পৌঁছায়, তখন নিজের ঘড়ির সময়টি চিহ্নে লিখে রাখে। কাজের আগে একটি আর পরে একটি
# চিহ্ন রাখলে দুই লেখার তফাতই GPU-র আসল সময়। তবু একটি `synchronize` লাগে: চিহ্নে লেখা পড়ার আগে GPU-কে সেখানে পৌঁছাতে হবে। `elapsed_time`
# মিলিসেকেন্ডে উত্তর দেয়।
#
# আরও দুটি অভ্যাস:
#
# - **Warm-up।** প্রথম কয়েকটি call-এ CUDA চালু হওয়া, kernel বাছাই আর memory নেওয়ার সময় ঢুকে পড়ে। এগুলো চালাও, কিন্তু গুনো না।
# - **Median।** মাঝে মাঝে একটি call অন্য কাজের ধাক্কায় অনেক ধীর হয়। গড় তাতে নড়ে যায়, median প্রায় নড়ে না। প্রতিটি call আলাদা করে না
#   মাপলে median পাওয়া যায় না।

# %% [markdown] lang="en"
# # Timing a GPU honestly
#
# When you write `fn()`, the CPU only puts an order for the work into the GPU's queue (a stream) and goes on to the next line; giving the
# order is called a launch. The GPU does the work in its own time. So the CPU's clock, `time.perf_counter()` for one, shows the few
# microseconds of the launch if you do not wait, and adds the cost of launching and waiting if you do.
#
# A **CUDA event** is a mark in that queue: when the GPU comes to it, it notes the time of its own clock there. Put one mark before the
# work and one after it, and the difference of the two notes is the GPU's true time. One `synchronize` is still needed: the GPU must have
# reached a mark before you can read it. `elapsed_time` answers in milliseconds.
#
# Two more habits:
#
# - **Warm up.** The first calls also pay for starting CUDA, choosing kernels and getting memory. Run them, but do not count them.
# - **Take the median.** Now and then one call is much slower because something else got in its way. That moves the mean; it hardly moves
#   the median. And there is no median unless every call is measured on its own.

# %% [markdown] lang="bn"
# ## `cuda_ms` লেখো
#
# `cuda_ms(fn, warmup=3, reps=20)` ফেরত দেবে CUDA event দিয়ে মাপা `fn()`-এর একটি call-এর সময়ের median, মিলিসেকেন্ডে।
#
# - `fn` কোনো argument নেয় না। সেটি মোট ঠিক `warmup + reps` বার চলবে; প্রথম `warmup`টি call হিসাবে আসবে না। `warmup` 0 হতে পারে।
# - `reps` জোড় হলে মাঝের দুটি সময়ের মধ্যে যেকোনো মান ঠিক।
# - `fn` যে exception তোলে, সেটি যেমন আছে তেমনই বাইরে যাবে।
# - `reps` 1-এর কম হলে `ValueError`।
#
# তোমার function একটি **simulated GPU**-তে চালিয়ে দেখা হয়, তাই GPU ছাড়াও তা পরীক্ষা করা যায়: সেখানে প্রতিটি call-এর আসল সময় আমাদের
# জানা। `torch.cuda`, `torch.accelerator`, `torch.Event` আর `time` সেখানে আসলটির মতোই আচরণ করে। event আর stream বানানো, কিংবা GPU আছে কি না
# জিজ্ঞেস করা, এসব `cuda_ms`-এর ভিতরে করো, ফাইলের উপরে নয়; ফাইলটি যেখানে পড়া হয়, সেখানে GPU নাও থাকতে পারে।
#
# দেখা হয়: median (2 % + 0.02 ms পর্যন্ত তফাত চলে, তাই সময়টি গোল কোরো না), call-এর সংখ্যা, জোড় `reps`, event দিয়ে প্রতি call আলাদা
# মাপা, exception, `ValueError`, আর না-দেওয়া argument। আসল GPU থাকলে আরও দুটি: আমাদের মাপের সঙ্গে 1.25 গুণের মধ্যে মিল, আর দ্বিগুণ কাজে
# দ্বিগুণ সময় (15 % পর্যন্ত তফাত)।

# %% [markdown] lang="en"
# ## Write `cuda_ms`
#
# `cuda_ms(fn, warmup=3, reps=20)` returns the median time of one call of `fn()` in milliseconds, measured with CUDA events.
#
# - `fn` takes no argument. It runs exactly `warmup + reps` times in all; the first `warmup` calls do not count. `warmup` may be 0.
# - For an even `reps` any value between the two middle times is right.
# - An exception that `fn` raises comes out as it is.
# - `reps` below 1 raises `ValueError`.
#
# Your function is run on a **simulated GPU**, so it can be checked without a real one: there we know how long each call truly takes.
# `torch.cuda`, `torch.accelerator`, `torch.Event` and `time` behave there as the real ones do. Make events and streams, and ask whether
# there is a GPU, inside `cuda_ms`, not at the top of the file: where the file is loaded there may be none.
#
# Checked are: the median (2 % + 0.02 ms of difference are allowed, so do not round the time), the number of calls, an even `reps`, that
# events measure each call on its own, exceptions, `ValueError`, and arguments left out. With a real GPU two more: agreement with our own
# measurement within a factor of 1.25, and twice the time for twice the work (within 15 %).

# %%
from collections.abc import Callable
from statistics import median

import torch


def cuda_ms(fn: Callable[[], object], warmup: int = 3, reps: int = 20) -> float:
    """fn()-এর একটি call-এর median সময় ফেরত দেয়, মিলিসেকেন্ডে, CUDA event দিয়ে মেপে।

    Return the median time of one call of fn(), in milliseconds, measured with CUDA events.

    fn: argument ছাড়া একটি function / a function without arguments
    warmup: যত call হিসাবের বাইরে / calls that do not count
    reps: যত call মাপা হয়, অন্তত 1 / calls that are measured, at least 1
    """
    raise NotImplementedError  # তোমার উত্তর এখানে / your answer here
