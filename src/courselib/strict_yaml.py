"""YAML read as written: no `no` that turns into False, no key twice, every fault with its file, line and column.

PyYAML's safe loader follows YAML 1.1: `on` is True, `010` is 8, `1:30` is 90, `1e-3` is text, and the last of two
equal keys wins in silence. Here only `true`, `false`, `null` and plain decimal numbers are anything but text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar, get_args

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from courselib import misfits
from courselib.text import Text, did_you_mean, say
from courselib.trouble import Trouble

Model = TypeVar("Model", bound=BaseModel)

NUMBER = re.compile(r"[-+]?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?\Z")
LONGEST = 100  # characters of a number; what is longer is text
WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "": None}


class Strict(BaseModel):
    """A model that knows its keys and takes no other, and no type but the one it names."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class StrictLoader(yaml.SafeLoader):
    """The safe loader without YAML 1.1's implicit types, and without aliases, which can loop or explode."""

    def compose_node(self, parent: Node | None, index: Any) -> Node | None:
        """Compose one node; refuse an alias."""
        if self.check_event(yaml.AliasEvent):
            raise yaml.MarkedYAMLError(problem="aliases (*name) are not used here", problem_mark=self.peek_event().start_mark)  # type: ignore[no-untyped-call]
        return super().compose_node(parent, index)


StrictLoader.yaml_implicit_resolvers = {}


def load(path: Path, model: type[Model]) -> Model:
    """Read `path` as a `model`; raise `Trouble` with file:line:column for everything that does not fit."""
    try:
        return parse(path, path.read_bytes(), model)
    except FileNotFoundError:
        raise Trouble(say("{path} নেই।", "{path} does not exist.", path=path)) from None


def parse(path: Path, data: bytes, model: type[Model]) -> Model:
    """Read the bytes of `path` as a `model`, as `load` does."""
    root = _compose(path, data)
    try:
        value = _build(path, root)
    except RecursionError:
        raise trouble_at(path, root, say("তালিকার ভেতরে তালিকা খুব গভীর।", "lists in lists go too deep.")) from None
    try:
        return model.model_validate(value)
    except ValidationError as fault:
        raise _misfit(path, root, fault, model) from None


def trouble_at(path: Path, node_or_mark: Any, sentence: Text) -> Trouble:
    """Make a `Trouble` that opens with file:line:column."""
    mark = getattr(node_or_mark, "start_mark", node_or_mark)
    place = f"{path.name}:{mark.line + 1}:{mark.column + 1}" if mark else path.name
    return Trouble(say("{place}: {sentence}", "{place}: {sentence}", place=place, sentence=sentence))


def trouble_in(path: Path, loc: tuple[Any, ...], sentence: Text) -> Trouble:
    """Make a `Trouble` about what stands at `loc` in a file that was read before."""
    return trouble_at(path, _node_at(_compose(path, path.read_bytes()), loc, key=False), sentence)


def _compose(path: Path, data: bytes) -> Node:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise Trouble(say("{p}: UTF-8 নয় (বাইট {n})।", "{p}: not UTF-8 (byte {n}).", p=path, n=fault.start)) from None
    try:
        root = yaml.compose(text, StrictLoader)
    except yaml.MarkedYAMLError as fault:
        raise trouble_at(path, fault.problem_mark or fault.context_mark, _syntax(text, fault)) from None
    except RecursionError:
        raise trouble_at(path, None, say("তালিকার ভেতরে তালিকা খুব গভীর।", "lists in lists go too deep.")) from None
    except yaml.YAMLError as fault:
        raise trouble_at(path, None, say("YAML পড়া গেল না: {f}", "not readable as YAML: {f}", f=fault)) from None
    if root is None:
        raise trouble_at(path, None, say("ফাইলটি খালি।", "the file is empty."))
    return root


def _syntax(text: str, fault: yaml.MarkedYAMLError) -> Text:
    mark = fault.problem_mark
    lines = text.splitlines()
    line = lines[mark.line] if mark and mark.line < len(lines) else ""
    if "\t" in line[: len(line) - len(line.lstrip())] or "'\\t'" in str(fault.problem):
        return say("indent-এ tab চলে না; space ব্যবহার করো।", "a tab cannot indent YAML; use spaces.")
    if "but got '?'" in str(fault.problem):
        return say("{{ }}-এর ভেতরে ? থাকলে লেখাটি উদ্ধৃতিচিহ্নে দাও।", "a text with ? inside {{ }} must stand in quotes.", q="")
    return say("YAML পড়া গেল না: {problem}", "not readable as YAML: {problem}", problem=fault.problem or fault.context)


def _build(path: Path, node: Node) -> Any:
    if isinstance(node, ScalarNode):
        return _scalar(path, node)
    if isinstance(node, SequenceNode):
        return [_build(path, item) for item in node.value]
    assert isinstance(node, MappingNode)
    out: dict[str, Any] = {}
    for key, value in node.value:
        if not isinstance(key, ScalarNode):
            raise trouble_at(path, key, say("key সাধারণ লেখা হতে হবে।", "a key must be plain text."))
        if key.value in out:
            raise trouble_at(path, key, say("{k} দুবার আছে; একটি রাখো।", "{k} stands twice; keep one.", k=key.value))
        out[key.value] = _build(path, value)
    return out


def _scalar(path: Path, node: ScalarNode) -> Any:
    text = str(node.value)
    if node.style is not None:
        return text
    if text in WORDS:
        return WORDS[text]
    if len(text) <= LONGEST and NUMBER.match(text):
        return int(text) if text.lstrip("+-").isdigit() else float(text)
    return text


def _misfit(path: Path, root: Node, fault: ValidationError, model: type[BaseModel]) -> Trouble:
    first = min(fault.errors(), key=lambda e: e["type"] != "extra_forbidden")  # a misspelt key is also a missing one
    loc = (*first["loc"], *_deeper(first))
    node = _node_at(root, loc, key=first["type"] == "extra_forbidden")
    where = ".".join(str(part) for part in _plain(root, loc))
    if first["type"] == "extra_forbidden":
        return trouble_at(path, node, _unknown(str(loc[-1]), _siblings(model, loc)))
    if first["type"] == "missing":
        return trouble_at(path, node, say("{w} নেই।", "{w} is missing.", w=where))
    told = misfits.sentence(first)
    return trouble_at(path, node, say("{w}: {m}", "{w}: {m}", w=where, m=told) if where else told)


def _deeper(fault: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the way from where pydantic found a fault to where it lies: a `ValueError` of our own may hold it as a tuple."""
    if fault["type"] == "union_tag_invalid":
        return ("type",)
    cause = fault.get("ctx", {}).get("error")
    return next((a for a in getattr(cause, "args", ()) if isinstance(a, tuple)), ())


def _unknown(key: str, known: list[str]) -> Text:
    from difflib import get_close_matches

    near = get_close_matches(key, known, 1, 0.6)
    hint = did_you_mean(near[0] if near else None)
    return say("অচেনা key {k}।{hint}", "unknown key {k}.{hint}", k=key, hint=hint)


def _siblings(model: type[BaseModel], loc: tuple[Any, ...]) -> list[str]:
    """Return the keys known where `loc` ends, by walking the models along it."""
    current = [model]
    for part in loc[:-1]:
        tagged = [
            m for m in current if len(current) > 1 and "type" in m.model_fields and part in get_args(m.model_fields["type"].annotation)
        ]
        inner = [found for m in current if part in m.model_fields for found in _models(m.model_fields[part].annotation)]
        current = tagged or inner or current
    return [name for m in current for name in m.model_fields]


def _models(annotation: Any) -> list[type[BaseModel]]:
    """Return the models that an annotation names, however deep they stand in it."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [found for arg in get_args(annotation) for found in _models(arg)]


def _node_at(root: Node, loc: tuple[Any, ...], *, key: bool) -> Node:
    node = root
    for i, part in enumerate(loc):
        if _is_tag(node, loc, i):
            continue
        if isinstance(node, SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
        elif isinstance(node, MappingNode):
            pairs = [(k, v) for k, v in node.value if k.value == str(part)]
            if not pairs:
                return node
            node = pairs[0][0] if key and i == len(loc) - 1 else pairs[0][1]
    return node


def _plain(root: Node, loc: tuple[Any, ...]) -> list[Any]:
    """Return a place as the author wrote it."""
    return [part for i, part in enumerate(loc) if _written(root, loc, i)]


def _written(root: Node, loc: tuple[Any, ...], i: int) -> bool:
    """Tell whether a part of a place stands in the file, and is not pydantic's own word for a key or a kind."""
    node = _node_at(root, loc[:i], key=False)
    return not _is_tag(node, loc, i) and loc[i] != "[key]" and not (isinstance(node, ScalarNode) and i > 0)


def _is_tag(node: Node, loc: tuple[Any, ...], i: int) -> bool:
    """Tell whether pydantic put the value of `type` into a place, behind the number of a list's item."""
    if i == 0 or not isinstance(loc[i - 1], int) or not isinstance(node, MappingNode):
        return False
    return any(k.value == "type" and v.value == loc[i] for k, v in node.value)
