from __future__ import annotations

import contextlib
import json
import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from courselib import submission
from courselib.submission import Refused, Unreadable, read

CODE: list[dict[str, Any]] = [{"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": ["x = 1\n", "y = 2"]}]


def book(cells: list[Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"cells": CODE if cells is None else cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5} | more


def sources(value: object) -> list[str]:
    return [c["source"] for c in read("a.ipynb", json.dumps(value).encode()).cells]


def why(name: str, data: bytes) -> str:
    with pytest.raises(Unreadable) as caught:
        read(name, data)
    assert caught.value.sentence.bn.startswith(name)
    return caught.value.sentence.en


COLAB = {
    "accelerator": "GPU",
    "colab": {"provenance": [], "gpuType": "T4"},
    "kernelspec": {"name": "python3", "display_name": "Python 3"},
}
CONDA = {"kernelspec": {"name": "conda-env-myenv-py", "display_name": "Python [conda env:myenv]", "language": "python"}}


@pytest.mark.parametrize(
    "value",
    [
        book(nbformat_minor=0, metadata=COLAB, cells=[CODE[0] | {"metadata": {"id": "x", "outputId": "y"}}]),
        book(metadata={}),
        book(metadata=CONDA),
        book(metadata=None),
        book(metadata={"kernelspec": [], "language_info": {"name": "Python"}}),
        book(nbformat_minor=5),  # without the ids that it must have
        book(nbformat_minor=4, cells=[CODE[0] | {"id": "a"}]),
        book(cells=[CODE[0] | {"id": "a"}, {"cell_type": "markdown", "id": "a", "source": "text"}]),
        {"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": ["x = 1\n", "y = 2"], "language": "python"}]}]},
        book(cells=[CODE[0] | {"source": "x = 1\ny = 2"}]),
    ],
    ids=["colab", "no-kernel", "conda", "no-metadata", "odd-kernel", "no-ids", "early-ids", "doubled-ids", "worksheets", "one-string"],
)
def test_notebooks_of_every_origin_give_the_same_code(value: dict[str, Any]) -> None:
    assert sources(value) == ["x = 1\ny = 2"]


@pytest.mark.parametrize("metadata", [{"kernelspec": {"name": "ir", "language": "R"}}, {"language_info": {"name": "julia"}}])
def test_a_notebook_of_another_language_is_told_so(metadata: dict[str, Any]) -> None:
    told = why("a.ipynb", json.dumps(book(metadata=metadata)).encode())
    assert told.startswith("a.ipynb: not a Python notebook (")


def test_cells_are_named_by_their_place_and_magics_stay_as_they_are() -> None:
    cells = [{"cell_type": "markdown", "source": "# %%time"}, CODE[0] | {"source": "%%time\nx = !ls"}, CODE[0]]
    came = read("sub/a.ipynb", json.dumps(book(cells)).encode())
    assert came.notebook
    assert came.cells == [{"name": "a.ipynb, cell 2", "source": "%%time\nx = !ls"}, {"name": "a.ipynb, cell 3", "source": "x = 1\ny = 2"}]


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfx = 'caf\xc3\xa9'\n",
        "x = 'café'\n".encode("utf-16"),
        "\ufeffx = 'café'\n".encode("utf-16-be"),
        b"# -*- coding: latin-1 -*-\nx = 'caf\xe9'\n",
        b"#!/usr/bin/python\r\n# coding: cp1252\r\nx = 'caf\xe9'\r\n",
        b"# coding: latin-1\rx = 'caf\xe9'\r",
        b"x = 'caf\xc3\xa9'\r\n",
        b"x = 'caf\xc3\xa9'\r",
    ],
    ids=["mark", "utf-16", "utf-16-be", "latin-1", "coding-crlf", "coding-cr", "crlf", "cr"],
)
def test_scripts_of_every_encoding_and_line_end_are_read(data: bytes) -> None:
    cells = read(r"C:\work\a.py", data).cells
    assert len(cells) == 1
    assert cells[0]["name"] == "a.py"
    assert cells[0]["source"].endswith("x = 'café'\n")
    assert "\r" not in cells[0]["source"]
    assert "\ufeff" not in cells[0]["source"]


@pytest.mark.parametrize("coding", ["undefined", "hex", "rot13", "nonsense"])
def test_a_coding_line_that_names_no_encoding_is_unreadable(coding: str) -> None:
    assert "save the file as UTF-8" in why("a.py", b"# coding: " + coding.encode() + b"\nx = 1\n")


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.py", b"", "the file is empty"),
        ("a.ipynb", b" \n", "the file is empty"),
        ("a.py", b"caf\xe9", "cannot be decoded"),
        ("a.py", b"PK\x03\x04\x00\x00", "NUL bytes"),
        ("a.ipynb", b"<!DOCTYPE html><html>Log in</html>", "a web page"),
        ("a.ipynb", b"\xef\xbb\xbf\n <html>", "a web page"),
        ("a.ipynb", b'[{"cells": []}]', "no object"),
        ("a.ipynb", b'{"metadata": {}}', "it has no cells"),
        ("a.ipynb", json.dumps(book([])).encode(), "no code cell"),
        ("a.ipynb", json.dumps(book([CODE[0] | {"source": " \n"}, {"cell_type": "markdown", "source": "x"}])).encode(), "no code cell"),
        ("a.ipynb", b'{\n"cells": [\n<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> main\n]}', "a Git merge conflict"),
        ("a.ipynb", b"<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> main\n", "a Git merge conflict"),
        ("a.ipynb", b"[" * 100_000, "notebook"),
        ("a.ipynb", b'{"cells": ' + b"9" * 5000 + b"}", "notebook"),
        ("a.ipynb", b'{"worksheets": [{"cells": 5}, {"cells": null}]}', "no code cell"),
    ],
)
def test_what_is_damaged_is_unreadable_with_its_reason(name: str, data: bytes, words: str) -> None:
    assert words in why(name, data)


def test_a_merge_conflict_has_its_line() -> None:
    assert why("a.ipynb", b'{\n"cells": [\n<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> main\n]}').startswith("a.ipynb:3:")


def test_a_notebook_cut_off_anywhere_is_told_to_be_cut_off() -> None:
    data = json.dumps(book([CODE[0] | {"source": "x = 'বাংলা'"}]), ensure_ascii=False, indent=1).encode()
    for end in range(1, len(data)):
        assert "damaged or cut off" in why("a.ipynb", data[:end])


def test_a_huge_file_is_refused() -> None:
    with pytest.raises(Refused, match="larger than 20 MB"):
        read("a.py", b"#" * (submission.MAX_BYTES + 1))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda x: (
        st.lists(x, max_size=3)
        | st.dictionaries(
            st.sampled_from(["cells", "cell_type", "source", "worksheets", "metadata", "kernelspec", "language", "input"]), x, max_size=3
        )
    ),
    max_leaves=12,
)


@given(JSON | st.builds(book, st.lists(JSON | st.fixed_dictionaries({"cell_type": st.just("code"), "source": JSON}), max_size=3)))
def test_no_json_is_more_than_unreadable(value: object) -> None:
    try:
        came = sources(value)
    except Unreadable:
        return
    assert any(c.strip() for c in came)


@given(
    st.binary(max_size=60) | st.text(max_size=20).map(lambda s: ("# coding: " + s).encode("utf-8", "surrogatepass")),
    st.sampled_from(["a.py", "a.ipynb"]),
)
def test_no_bytes_are_more_than_unreadable(data: bytes, name: str) -> None:
    with warnings.catch_warnings(), contextlib.suppress(Unreadable, Refused):
        warnings.simplefilter("ignore")  # some codecs warn of what they read
        assert read(name, data).cells
