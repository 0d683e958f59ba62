"""Markdown of a quiz as HTML: what it knows, and that nothing else gets through."""

from __future__ import annotations

import pytest
from made_records import HOSTILE

from courselib.quiz.markup import html
from courselib.trouble import Trouble


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("**বাংলা** আর `x < 1`", "<strong>বাংলা</strong> আর <code>x &lt; 1</code>"),
        ("`torch.cuda`", "<code>torch.<wbr>cuda</code>"),
        ("`v1.5`", "<code>v1.<wbr>5</code>"),
        ("one\n\ntwo", "<p>one</p>\n<p>two</p>"),
        ("- one\n- two", "<ul>\n<li>one</li>\n<li>two</li>\n</ul>"),
        ("```python\nx = 1\n```", '<pre><code class="language-python">x = 1\n</code></pre>'),
        ("$2n^3$", "<math><mrow><mn>2</mn><msup><mi>n</mi><mn>3</mn></msup></mrow></math>"),
        ("costs $5 or $6", "costs $5 or $6"),
        ("[a](b) ![c](d) <e@f.g> https://h.i", "[a](b) ![c](d) &lt;e@f.g&gt; https://h.i"),
        ("# no heading", "# no heading"),
    ],
)
def test_markdown_becomes_html(text: str, made: str) -> None:
    assert html(text) == made


def test_maths_on_its_own_line_is_a_block() -> None:
    assert html("$$\nx^2\n$$").startswith('<math display="block">')


@pytest.mark.parametrize("text", HOSTILE)
def test_what_looks_like_html_is_text(text: str) -> None:
    assert "<script" not in html(text)
    assert "<img" not in html(text)
    assert "<svg" not in html(text)


@pytest.mark.parametrize(
    "maths", [r"\frac{", r"\href{javascript:alert(1)}{x}", r"\style{color:red}{x}", r"\class{a}{b}", r"\nosuchthing x", r"\text{<b>x</b>}"]
)
def test_maths_that_cannot_be_read_or_is_more_than_maths_is_refused(maths: str) -> None:
    with pytest.raises(Trouble, match="this maths cannot be read"):
        html(f"${maths}$")


def test_maths_with_a_sign_of_html_is_escaped() -> None:
    assert "<mo>&#x0003C;</mo>" in html("$1<2$")
