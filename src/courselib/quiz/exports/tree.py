"""XML and zip files: elements made in one breath, HTML as well-formed elements, packages that are the same every time."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from html.parser import HTMLParser
from xml.etree.ElementTree import Element, tostring

MATHML = "http://www.w3.org/1998/Math/MathML"
EMPTY = ("br", "hr", "img")
BREAK = "wbr"  # where a line may break; XHTML has none
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the first date a zip knows; no clock in what is written


def node(tag: str, attributes: Mapping[str, str] | None = None, *inside: Element | str) -> Element:
    """Return an element with what stands in it."""
    made = Element(tag, dict(attributes or {}))
    for one in inside:
        _put(made, one)
    return made


def document(root: Element) -> bytes:
    """Return a whole XML file."""
    return bytes(tostring(root, encoding="UTF-8", xml_declaration=True)) + b"\n"


def package(files: Mapping[str, bytes]) -> bytes:
    """Return a zip of files, in the order given."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, content)
    return out.getvalue()


def elements(html: str, tag: str = "div") -> Element:
    """Return rendered HTML as well-formed elements within one `tag`, its languages named as XML does."""
    reader = _Reader(tag)
    reader.feed(html)
    reader.close()
    return reader.root


class _Reader(HTMLParser):
    def __init__(self, tag: str) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element(tag)
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == BREAK:
            return
        named = {"xml:lang" if name == "lang" else name: value or "" for name, value in attrs}
        made = Element(tag, {"xmlns": MATHML, **named} if tag == "math" else named)
        self._open[-1].append(made)
        if tag not in EMPTY:
            self._open.append(made)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in (e.tag for e in self._open[1:]):
            while self._open.pop().tag != tag:
                pass

    def handle_data(self, data: str) -> None:
        _put(self._open[-1], data)


def _put(parent: Element, one: Element | str) -> None:
    if isinstance(one, Element):
        parent.append(one)
    elif len(parent):
        parent[-1].tail = (parent[-1].tail or "") + one
    else:
        parent.text = (parent.text or "") + one
