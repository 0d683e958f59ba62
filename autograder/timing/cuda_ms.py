"""Checks of timing/cuda_ms: the student's function times scripted work on a simulated GPU, and real work where there is one."""

from functools import partial

from courselib import judge
from courselib.checks import check
from courselib.oracles import gpu
from courselib.oracles.gpu import Script, SimulatedGpu, Trace
from courselib.proxy import Proxy, StudentError
from courselib.text import Text, say

OK_FORMAT = False
name = "cuda_ms"
points = None

# Every statistic that is not the median lies far outside the tolerance of 2 % + 0.02 ms in each script.
RUN = Script((70.3, 149.2, 97.6), (4.3, 5.4, 36.4, 14.2, 2.1, 3.2, 12.6))
EVEN = Script((), (28.4, 4.3, 36.6, 2.1, 17.8, 5.2, 3.3, 2.6))
FOUND_BY_DEFAULT = Script(
    (300.4, 180.7, 220.9),
    (70.2, 4.1, 62.3, 12.4, 5.2, 118.6, 2.3, 95.4, 3.1, 80.5, 105.7, 4.6, 14.3, 140.8, 5.7, 2.7, 128.2, 87.9, 3.6, 6.2),
)
OTHERS = (
    Script((92.1, 50.4, 87.3, 159.8), (79.2, 63.4, 74.1, 29.3, 87.6, 9.2, 38.5)),
    Script((5.3, 8.2), (0.71, 0.85, 4.93, 0.41, 6.52)),
    Script((45.2,), (72.3, 4.1, 7.4, 20.2, 77.3, 61.3, 74.6)),
)
SHORT = Script((9.4, 8.1), (2.6, 1.3, 7.2))
CYCLES = [n * 10**6 for n in (64, 48, 40, 8, 2, 31, 4, 16)]  # 3 warm-up calls and 5 repetitions, the median 8 million
AGREEMENT, GROWTH = 1.25, 0.15

CAUSES = {
    "unsorted": say("মাঝেরটি নেওয়ার আগে সময়গুলো sort করা হয়নি।", "The middle one was taken without sorting the times first."),
    "first": say("এটি প্রথম মাপটি, median নয়।", "That is the first measurement, not the median."),
    "last": say(
        "এটি শেষ মাপটি। প্রতি বার নতুন event দরকার, নয়তো পরের record()-এর আগে সময়টি পড়ে নাও।",
        "That is the last measurement. Use new events each time, or read the time before the next record().",
    ),
    "mean": say(
        "এটি গড় (mean); একটি ধীর call-ই গড় টেনে তোলে, তাই চাই median।",
        "That is the mean; one slow call pulls it up, so the median is asked for.",
    ),
    "fastest": say("এটি সবচেয়ে ছোট সময়, median নয়।", "That is the shortest time, not the median."),
    "slowest": say("এটি সবচেয়ে বড় সময়, median নয়।", "That is the longest time, not the median."),
    "total": say("এটি সব call-এর যোগফল; চাই একটি call-এর সময়।", "That is the total of all calls; the time of one call is asked for."),
    "with_warmup": say("warm-up-এর সময়ও median-এ ঢুকেছে।", "The warm-up calls are in the median, too."),
    "mean_with_warmup": say(
        "এটি গড়, তাতে warm-up-ও আছে; চাই শুধু rep-গুলোর median।",
        "That is a mean, and warm-up is in it; the median of the reps is asked for.",
    ),
    "total_with_warmup": say("এটি warm-up-সহ সব call-এর যোগফল।", "That is the total of all calls, warm-up included."),
    "first_call": say("এটি প্রথম warm-up call-এর সময়।", "That is the time of the first warm-up call."),
    "without_first": say(
        "প্রথম rep-টি বাদ পড়েছে; warm-up ছাড়া আর কিছু বাদ যায় না।",
        "The first rep was left out; nothing but warm-up is left out.",
    ),
    "trimmed": say("এটি দুই প্রান্ত বাদ দেওয়া গড়, median নয়।", "That is a mean without the extremes, not the median."),
    "geometric": say("এটি geometric mean, median নয়।", "That is the geometric mean, not the median."),
    "midrange": say(
        "এটি সবচেয়ে ছোট আর বড় সময়ের মাঝামাঝি, median নয়।",
        "That is halfway between the shortest and the longest time, not the median.",
    ),
    "below_middle": say("sort করার পর মাঝের একটির এক ঘর আগেরটি নেওয়া হয়েছে।", "After sorting, the one before the middle was taken."),
    "above_middle": say("sort করার পর মাঝের একটির এক ঘর পরেরটি নেওয়া হয়েছে।", "After sorting, the one after the middle was taken."),
    "lower_quartile": say("এটি 25 % quantile; median হলো 50 %।", "That is the 25 % quantile; the median is the 50 % one."),
    "upper_quartile": say("এটি 75 % quantile; median হলো 50 %।", "That is the 75 % quantile; the median is the 50 % one."),
    "divided_again": say("একটি call-এর সময়কে আবার reps দিয়ে ভাগ করা হয়েছে।", "The time of one call was divided by reps again."),
    "doubled": say("সময়টি দ্বিগুণ: প্রতি মাপে কি fn দুইবার চলে?", "Twice the time: does fn run twice in each measurement?"),
    "accumulated": say(
        "সব সময় একটিই start event থেকে মাপা, তাই সময়গুলো জমতে থাকে।",
        "All times run from the same start event, so they add up.",
    ),
    "mistaken_count": say("warm-up-সহ সব সময়ের যোগফল reps দিয়ে ভাগ হয়েছে।", "The total with warm-up was divided by reps."),
    "mistaken_share": say("rep-গুলোর যোগফল warmup + reps দিয়ে ভাগ হয়েছে।", "The total of the reps was divided by warmup + reps."),
}
UNITS = {
    1e-3: say("এটি সেকেন্ডে; elapsed_time() নিজেই মিলিসেকেন্ড দেয়।", "That is in seconds; elapsed_time() already gives milliseconds."),
    1e3: say("এটি মাইক্রোসেকেন্ডে; চাই মিলিসেকেন্ড।", "That is in microseconds; milliseconds are asked for."),
    1e6: say("এটি ন্যানোসেকেন্ডে; চাই মিলিসেকেন্ড।", "That is in nanoseconds; milliseconds are asked for."),
}
SWAPPED = say("start আর end উল্টে গেছে: start.elapsed_time(end)।", "Start and end are swapped: it is start.elapsed_time(end).")
BETWEEN = say(
    "event দুটির মাঝে fn-এর কাজ নেই: start.record(), তারপর fn(), তারপর end.record(); তিনটিই একই stream-এ।",
    "The work of fn is not between the two events: start.record(), then fn(), then end.record(), all three on one stream.",
)
LAUNCH_ONLY = say(
    "GPU-র জন্য অপেক্ষা না করে CPU-র ঘড়ি দেখা হয়েছে, তাই শুধু launch মাপা হয়েছে।",
    "The host's clock was read without waiting for the GPU, so only the launch was timed.",
)
WHOLE = say("সময়টির ভগ্নাংশ কেটে পূর্ণসংখ্যা করা হয়েছে।", "The time was cut or rounded to a whole number.")
EXCHANGED = say("warmup আর reps উল্টে গেছে: ক্রম হলো fn, warmup, reps।", "warmup and reps are exchanged: the order is fn, warmup, reps.")
ONE_PAIR = say(
    "পুরো loop-এর চারপাশে মাত্র একটি event জোড়া: তা থেকে শুধু গড় মেলে, median নয়। প্রতি call-এ আলাদা জোড়া লাগবে।",
    "One pair of events stands round the whole loop: that gives only the mean, never the median. Each call needs its own pair.",
)
HINTS = {
    gpu.INCOMPLETE: say(
        "elapsed_time()-এর আগে GPU কাজ শেষ করেনি: torch.cuda.synchronize() বা end.synchronize() দাও।",
        "The GPU had not finished before elapsed_time(): call torch.cuda.synchronize() or end.synchronize() first.",
    ),
    gpu.UNRECORDED: say("event দুটির একটিতে record() ডাকা হয়নি।", "One of the two events was never recorded."),
    gpu.UNTIMED: say("torch.cuda.Event(enable_timing=True) লেখো।", "Write torch.cuda.Event(enable_timing=True)."),
}


def run(function: object, script: Script, *args: object, **kwargs: object) -> Trace:
    """Time the script with the student's function; CUDA's own complaints get the reason beside them."""
    try:
        return gpu.time_on_simulated_gpu(judge.function(function, name), script, *args, **kwargs)
    except StudentError as error:
        hint = next((HINTS[text] for text in HINTS if error.text.startswith(text)), None)
        if hint is None:
            raise
        raise judge.wrong("{error} {hint}", "{error} {hint}", error=error.sentence, hint=hint) from None


def within(value: float, lower: float, upper: float) -> bool:
    return lower * 0.98 - 0.02 <= value <= upper * 1.02 + 0.02


def must_be_median(trace: Trace, script: Script, told: bool = True) -> None:
    """Fail unless the value is a median of the script's repetitions; where not `told`, the number stays with us."""
    what = say("{n} warm-up, {r} rep", "{n} warm-up calls, {r} reps", n=len(script.warmup), r=len(script.reps))
    value = judge.number(trace.value, "cuda_ms(fn)")
    lower, upper = script.middle
    if within(value, lower, upper):
        return
    wanted = f"{lower:g}" if lower == upper else f"{lower:g}–{upper:g}"
    raise judge.wrong(
        "{what}: {came} ms ঠিক নয়{wanted}। {cause}", "{what}: {came} ms is not right{wanted}. {cause}",
        what=what, came=judge.show(value), cause=cause(value, script, trace),
        wanted=say(" ({w} হওয়ার কথা)", " (expected {w})", w=wanted) if told else Text("", ""),
    )  # fmt: skip


def counted(trace: Trace, script: Script) -> Text:
    return say(
        "fn {n} বার চলার কথা, চলেছে {c} বার।",
        "fn should run {n} time(s); it ran {c} time(s).",
        n=script.calls,
        c=trace.calls,
    )


def cause(value: float, script: Script, trace: Trace) -> Text:
    """Return the likely reason why `value` is not the median."""
    lower, upper = script.middle
    known = gpu.wrong_statistics(script)
    if len(trace.measured) == 1 < len(script.reps) and not within(value, known["last"], known["last"]):
        return ONE_PAIR
    if 0 < len(trace.measured) == len(script.warmup) != len(script.reps):
        return EXCHANGED
    if trace.calls != script.calls:
        return counted(trace, script)
    if max(trace.measured, default=lower) < 0.1 * min(script.reps):
        return SWAPPED if value < -0.1 else BETWEEN
    for factor, unit in UNITS.items():
        if within(value / factor, lower, upper):
            return unit
    if value < 0.1 * min(script.reps) and not trace.measured:
        return LAUNCH_ONLY
    if value == int(value) and lower - 1 < value < upper + 1:
        return WHOLE
    for key, text in CAUSES.items():
        if within(value, known[key], known[key]):
            return text
    return say("এটি rep-গুলোর median নয়।", "That is not the median of the reps.")


@check("cuda_ms", 1, bn="warm-up বাদ দিয়ে rep-গুলোর median, মিলিসেকেন্ডে", en="The median of the reps in milliseconds, warm-up left out")
def median_of_reps(cuda_ms: Proxy) -> None:
    must_be_median(run(cuda_ms, RUN, 3, 7), RUN)


@check("cuda_ms", 1, bn="warm-up ছাড়া, জোড় সংখ্যক rep-এর median", en="The median of an even number of reps, without warm-up")
def even_reps_no_warmup(cuda_ms: Proxy) -> None:
    must_be_median(run(cuda_ms, EVEN, warmup=0, reps=8), EVEN)


@check("cuda_ms", 1, bn="fn ঠিক warmup + reps বার চলে", en="fn runs exactly warmup + reps times")
def call_count(cuda_ms: Proxy) -> None:
    for warmup, reps in ((0, 1), (1, 2), (4, 3)):
        script = Script((9.4,) * warmup, (2.6,) * reps)
        trace = run(cuda_ms, script, warmup=warmup, reps=reps)
        judge.number(trace.value, f"cuda_ms(fn, warmup={warmup}, reps={reps})")
        if trace.calls != script.calls:
            raise judge.wrong("warmup={w}, reps={r}: {why}", "warmup={w}, reps={r}: {why}", w=warmup, r=reps, why=counted(trace, script))


@check("cuda_ms", 1, bn="সময় আসে CUDA event থেকে, প্রতি rep-এর আলাদা", en="The times come from CUDA events, one for each rep")
def cuda_events(cuda_ms: Proxy) -> None:
    trace = run(cuda_ms, SHORT, 2, 3)
    judge.number(trace.value, "cuda_ms(fn, 2, 3)")
    judge.require(
        bool(trace.measured),
        "কোনো CUDA event-এর elapsed_time() পড়া হয়নি। CPU-র ঘড়িতে launch আর অপেক্ষার সময়ও ঢোকে; এখানে torch.cuda.Event চাই।",
        "No elapsed_time() of CUDA events was read. The host's clock also counts launching and waiting; torch.cuda.Event is asked for.",
    )
    judge.require(
        len(trace.measured) >= len(SHORT.reps),
        "{n}টি rep-এর জন্য elapsed_time() পড়া হয়েছে মাত্র {m} বার। {why}", "For {n} reps elapsed_time() was read only {m} times. {why}",
        n=len(SHORT.reps), m=len(trace.measured), why=ONE_PAIR if len(trace.measured) == 1 else Text("", ""),
    )  # fmt: skip


@check("cuda_ms", 1, bn="fn-এর ভুল (exception) লুকায় না", en="An exception in fn comes through")
def exception_comes_through(cuda_ms: Proxy) -> None:
    function = judge.function(cuda_ms, name)
    for at, error in ((1, ZeroDivisionError("fn failed in warm-up")), (4, RuntimeError("fn failed in a rep"))):
        simulated = SimulatedGpu(Script((9.4, 8.1), (2.6, 1.3, 7.2), at, error))
        kind, place = type(error).__name__, say("{n} নম্বর call", "call {n}", n=at + 1)
        came = judge.raises(kind, partial(function.probe, "simulated", simulated, warmup=2, reps=3), place)
        judge.require(
            came.kind == kind and came.text == str(error),
            "{p}: fn-এর exception যেমন এসেছে তেমনই উপরে যাওয়ার কথা, এসেছে {k}: {t}",
            "{p}: the exception of fn should come through as it is; {k} came: {t}",
            p=place, k=came.kind, t=came.text or "-",
        )  # fmt: skip
        judge.require(
            simulated.calls == at + 1,
            "{p} exception তোলার পরেও fn আবার চলেছে।", "{p} raised, and fn was run again after that.", p=place,
        )  # fmt: skip
    trace = run(cuda_ms, SHORT, 2, 3)
    judge.number(trace.value, "cuda_ms(fn, 2, 3)")
    if trace.calls != SHORT.calls:
        raise judge.wrong("একটি exception-এর পরের মাপে {why}", "In the measurement after an exception {why}", why=counted(trace, SHORT))


@check("cuda_ms", 1, bn="reps 1-এর কম হলে ValueError", en="reps below 1 raises ValueError")
def reps_below_one(cuda_ms: Proxy) -> None:
    function = judge.function(cuda_ms, name)
    for reps in (0, -1):
        judge.raises("ValueError", partial(function.probe, "simulated", SimulatedGpu(SHORT), 1, reps), f"cuda_ms(fn, 1, {reps})")


@check("cuda_ms", 1, bn="মান না দিলে warmup=3, reps=20", en="warmup=3 and reps=20 where they are not given", hidden=True)
def default_arguments(cuda_ms: Proxy) -> None:
    trace = run(cuda_ms, FOUND_BY_DEFAULT)
    judge.number(trace.value, "cuda_ms(fn)")
    if trace.calls != FOUND_BY_DEFAULT.calls:
        raise judge.wrong("cuda_ms(fn): {why}", "cuda_ms(fn): {why}", why=counted(trace, FOUND_BY_DEFAULT))
    must_be_median(trace, FOUND_BY_DEFAULT, told=False)


@check("cuda_ms", 1, bn="আলাদা আলাদা কাজ, প্রতিবার নতুন median", en="Different work, one after the other, each with its own median", hidden=True)
def other_runs(cuda_ms: Proxy) -> None:
    for script in OTHERS:
        must_be_median(run(cuda_ms, script, warmup=len(script.warmup), reps=len(script.reps)), script, told=False)


def asleep(cuda_ms: object, cycles: list[int]) -> float:
    """Return the student's time for `torch.cuda._sleep` on the real GPU."""
    seen = judge.mapping(judge.function(cuda_ms, name).probe("sleeping", cycles, warmup=3, reps=5), ("value", "calls"), name)
    calls = judge.integer(seen["calls"], "calls")
    judge.require(calls == 8, "fn চলার কথা 8 বার, চলেছে {c} বার।", "fn should run 8 times; it ran {c} times.", c=calls)
    return judge.number(seen["value"], "cuda_ms(fn, warmup=3, reps=5)")


@check("cuda_ms", 1, bn="আসল GPU-তে আমাদের মাপের সঙ্গে মেলে", en="On a real GPU it agrees with our own measurement", requires="cuda")
def agrees_on_gpu(cuda_ms: Proxy) -> None:
    before = gpu.asleep_ms(CYCLES, warmup=3)
    value = asleep(cuda_ms, CYCLES)
    true = sorted((before, gpu.asleep_ms(CYCLES, warmup=3)))
    judge.require(
        true[0] / AGREEMENT <= value <= true[1] * AGREEMENT,
        "তোমার মাপ {v} ms, আমাদের event-এর মাপ {t} ms; সর্বোচ্চ {r} গুণ তফাত চলে। warm-up বাদ দিয়ে median নিয়েছ তো?",
        "You measured {v} ms, our own events {t} ms; a factor of {r} is allowed. Is it the median, with warm-up left out?",
        v=judge.show(value), t=judge.show(true[0]), r=AGREEMENT,
    )  # fmt: skip


@check("cuda_ms", 1, bn="আসল GPU-তে দ্বিগুণ কাজে দ্বিগুণ সময়", en="On a real GPU twice the work takes twice the time", requires="cuda")
def grows_with_work(cuda_ms: Proxy) -> None:
    once = asleep(cuda_ms, CYCLES)
    twice = asleep(cuda_ms, [2 * n for n in CYCLES])
    judge.require(
        once > 0 and abs(twice / once - 2) <= 2 * GROWTH,
        "দ্বিগুণ কাজে সময় {a} থেকে {b} ms হয়েছে; দ্বিগুণের কাছাকাছি হওয়ার কথা। মাপটি কি সত্যিই GPU-র কাজের?",
        "With twice the work the time went from {a} to {b} ms; it should about double. Is it the GPU's work that is measured?",
        a=judge.show(once), b=judge.show(twice),
    )  # fmt: skip
