from __future__ import annotations

import pickle

import pytest

from courselib.text import Text, both, in_language, language, say, use_language


def test_reads_in_the_language_of_the_moment() -> None:
    text = say("হ্যাঁ", "yes")
    assert text.read() == "yes"
    with in_language("bn"):
        assert text.read() == "হ্যাঁ"
        assert str(say("হ্যাঁ", "yes")) == "হ্যাঁ"


def test_values_go_into_both_sentences_and_texts_go_in_by_language() -> None:
    text = say("{a} আর {b}", "{a} and {b}", a=say("এক", "one"), b=2)
    assert (text.bn, text.en) == ("এক আর 2", "one and 2")


def test_a_value_with_braces_is_taken_as_it_is() -> None:
    assert say("{v}", "{v}", v="{x}").en == "{x}"


def test_travels_whole_between_processes() -> None:
    text: Text = pickle.loads(pickle.dumps(say("ক", "a")))
    assert (text.bn, text.en) == ("ক", "a")


def test_both_takes_anything() -> None:
    assert both(3).bn == both(3).en == "3"


@pytest.mark.parametrize(("asked", "got"), [("bn", "bn"), ("en_US.UTF-8", "en"), ("BN", "bn")])
def test_language_from_the_environment(monkeypatch: pytest.MonkeyPatch, asked: str, got: str) -> None:
    monkeypatch.setenv("COURSELIB_LANG", asked)
    assert language() == got
    use_language("en")
    assert language() == "en"
    use_language("")
