from __future__ import annotations

import inspect
import traceback

import pytest

from courselib.worker.mishap import Mishap, describe, remember


def raised(source: str, name: str = "answer.py") -> BaseException:
    """Run a student's source and return what it raised."""
    remember(name, source)
    try:
        exec(compile(source, name, "exec"), {})
    except BaseException as error:
        return error
    raise AssertionError("nothing was raised")


def told(source: str, name: str = "answer.py") -> Mishap:
    return describe(raised(source, name), {"answer.py"})


def test_the_kind_the_whole_ancestry_the_text_and_the_place_are_told() -> None:
    came = told("x = 1\n\n{}['key']\n")
    assert came == Mishap(
        kind="KeyError", kinds=["KeyError", "LookupError", "Exception", "BaseException"], text="'key'", where="answer.py", line=3
    )


def test_the_place_is_the_deepest_line_of_the_students_own() -> None:
    came = told("import json\ndef inner():\n    json.loads('{')\ndef outer():\n    inner()\nouter()\n")
    assert (came["kind"], came["line"]) == ("JSONDecodeError", 3)


def test_code_that_is_not_the_students_has_no_place() -> None:
    came = told("1 / 0\n", name="elsewhere.py")
    assert (came["kind"], came["where"], came["line"]) == ("ZeroDivisionError", "", 0)


def test_a_syntax_error_is_placed_where_python_found_it() -> None:
    came = told("x = 1\ndef f(:\n    pass\n")
    assert (came["kind"], came["where"], came["line"]) == ("SyntaxError", "answer.py", 2)
    assert came["text"] == "invalid syntax"


def test_a_syntax_error_of_code_that_the_student_evaluates_is_placed_at_the_call() -> None:
    came = told("x = 1\n\n\neval('1 +')\n")
    assert (came["where"], came["line"]) == ("answer.py", 4)


@pytest.mark.parametrize("kind", ["SystemExit", "KeyboardInterrupt", "GeneratorExit"])
def test_what_is_no_exception_is_described_too(kind: str) -> None:
    assert told(f"raise {kind}('bye')")["kind"] == kind


def test_a_long_text_is_cut() -> None:
    assert told("raise ValueError('x' * 10**6)")["text"] == "x" * 500


@pytest.mark.parametrize("inside", ["raise ValueError", "return 3", "raise SystemExit"])
def test_an_error_that_cannot_be_shown_has_no_text(inside: str) -> None:
    source = f"class Sly(Exception):\n    def __str__(self):\n        {inside}\nraise Sly\n"
    assert told(source) == Mishap(kind="Sly", kinds=["Sly", "Exception", "BaseException"], text="", where="answer.py", line=4)


@pytest.mark.parametrize("setting", ["e.filename = []", "e.msg = Sly()", "e.lineno = 'two'"])
def test_a_syntax_error_that_the_student_made_up_is_described(setting: str) -> None:
    source = (
        f"class Sly:\n    def __str__(self):\n        raise ValueError\ne = SyntaxError('m', ('answer.py', 1, 1, ''))\n{setting}\nraise e\n"
    )
    came = told(source)
    assert came["kind"] == "SyntaxError"
    assert type(came["line"]) is int
    assert type(came["text"]) is str


def test_deep_recursion_is_described() -> None:
    came = told("def f():\n    f()\nf()\n")
    assert (came["kind"], came["line"]) == ("RecursionError", 2)


def test_a_remembered_source_shows_its_lines_though_it_is_on_no_disk() -> None:
    error = raised("def f():\n    return 1 / 0  # here\nf()\n")
    assert "return 1 / 0  # here" in "".join(traceback.format_exception(error))
    space: dict[str, object] = {}
    remember("cell 2", "def g():\n    return 2\n")
    exec(compile("def g():\n    return 2\n", "cell 2", "exec"), space)
    assert inspect.getsource(space["g"]) == "def g():\n    return 2\n"  # type: ignore[arg-type]
