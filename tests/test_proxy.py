from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from courselib.proxy import Local, Proxy, StudentError, local
from courselib.text import in_language
from courselib.worker.mishap import Mishap
from courselib.worker.plain import MAX_BYTES, Opaque


def fails(function: Callable[..., object], *args: object, **kwargs: object) -> StudentError:
    with pytest.raises(StudentError) as caught:
        Local("f", function)(*args, **kwargs)
    return caught.value


def throw(error: BaseException) -> object:
    raise error


def error(**told: Any) -> StudentError:
    call = told.pop("call", "f(1)")
    mishap = Mishap(kind="ValueError", kinds=["ValueError"], text="no", where="", line=0)
    mishap.update(told)  # type: ignore[typeddict-item]
    return StudentError(mishap, call)


@pytest.mark.parametrize(
    ("answer", "came"),
    [(np.float32(0.5), 0.5), ((1, [2]), (1, [2])), ({"a": np.int64(1)}, {"a": 1}), (range(2), [0, 1]), (torch.float16, torch.float16)],
)
def test_what_a_function_returns_is_plain(answer: object, came: object) -> None:
    got = Local("f", lambda: answer)()
    assert got == came
    assert type(got) is type(came)


def test_a_value_that_equals_everything_is_opaque() -> None:
    class Sly:
        def __eq__(self, other: object) -> bool:
            return True

    got = Local("f", Sly)()
    assert isinstance(got, Opaque)


def test_arguments_go_through_and_functions_among_them_are_called() -> None:
    assert Local("f", lambda g, *, by: g(2) * by)(lambda n: n + 1, by=5) == 15


def test_a_function_that_changes_its_arguments_does_not_change_the_checks_own() -> None:
    sizes = [3, 2, 1]
    assert Local("f", lambda numbers: [numbers.pop(), len(numbers)])(sizes) == [1, 2]  # behind the wall it has a copy, so here too
    assert sizes == [3, 2, 1]


def test_leaving_python_is_an_error_of_the_call_and_no_more() -> None:
    assert fails(lambda: throw(SystemExit(0))).kind == "SystemExit"
    assert "SystemExit" in fails(exit).kinds


def test_ctrl_c_of_the_person_passes_through() -> None:
    with pytest.raises(KeyboardInterrupt):
        Local("f", lambda: throw(KeyboardInterrupt()))()


def test_an_answer_that_is_too_large_is_the_students_error() -> None:
    assert "MB" in fails(lambda: np.zeros(MAX_BYTES + 1, dtype=np.uint8)).text


def test_an_error_while_the_answer_is_read_is_the_students_error() -> None:
    def lazily() -> Any:
        yield 1
        raise ZeroDivisionError

    assert fails(lazily).kind == "ZeroDivisionError"


def test_the_sentence_names_the_call_the_kind_and_the_place() -> None:
    def f(n: int, *, scale: float) -> float:
        return n / scale

    came = fails(f, 1, scale=0)
    line = f.__code__.co_firstlineno + 1
    assert came.call == "f(1, scale=0)"
    assert came.sentence.en == f"f(1, scale=0): your code stopped with ZeroDivisionError ({__file__}, line {line}): division by zero"
    assert came.sentence.bn == f"f(1, scale=0): তোমার কোড ZeroDivisionError দিয়ে থেমেছে ({__file__}, লাইন {line}): division by zero"
    with in_language("bn"):
        assert str(came) == came.sentence.bn


def test_the_sentence_does_without_what_is_not_known() -> None:
    assert error(text="", call="").sentence.en == "your code stopped with ValueError: -"


def test_text_with_braces_is_taken_as_it_is() -> None:
    assert error(text="{x} {0}").sentence.en.endswith(": {x} {0}")


def test_an_untouched_stub_is_told_as_one() -> None:
    came = fails(lambda n: throw(NotImplementedError()), 4)
    assert came.sentence.en == "f(4) is not written yet."
    assert came.sentence.bn == "f(4) এখনো লেখা হয়নি।"


def test_pytorchs_not_implemented_error_is_no_untouched_stub() -> None:
    came = fails(lambda: throw(NotImplementedError("\"baddbmm\" not implemented for 'Half'")))
    assert "not written yet" not in came.sentence.en
    assert "baddbmm" in came.sentence.en


def test_functions_without_code_of_their_own_work_too() -> None:
    class Callable_:
        def __call__(self) -> float:
            return 1 / 0

    assert fails(Callable_()).kind == "ZeroDivisionError"
    assert fails(functools.partial(divmod, 1, 0)).kind == "ZeroDivisionError"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (len, "len"),
        (lambda: 1, "<lambda>"),
        (functools.partial(len), "fn"),
        (Opaque("X", "secret"), "fn"),
        ("x" * 100, "'" + "x" * 56 + "..."),
    ],
)
def test_a_call_is_shown_as_a_person_would_write_it(value: object, shown: str) -> None:
    assert Proxy("f").shown((1, value), {"k": value}) == f"f(1, {shown}, k={shown})"


def test_a_check_holds_functions_as_proxies_and_all_else_as_plain_values() -> None:
    assert isinstance(local("f", len), Local)
    assert isinstance(local("f", torch.nn.Linear), Local)
    assert local("n", np.int32(3)) == 3
    assert local("d", np.float16) is torch.float16
    proxy = Proxy("f")
    assert local("f", proxy) is proxy
