"""Other things under known names for a while: Python code in place, C objects wherever a student's code holds them.

A Python function or class keeps its identity, so whatever name was bound to it earlier follows. An object
of C cannot be changed; it is replaced in its module and in every place that the student's code can reach.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from types import FunctionType, MethodType, ModuleType
from typing import Any

MAX_LOOKS = 50_000
MAX_LENGTH = 5_000  # a longer container holds data, not clocks
LIBRARIES = (sys.stdlib_module_names - {"builtins"}) | {"courselib", "torch", "numpy"}
HEAP_TYPE = 1 << 9  # CPython's flag of a class that is not a static object of C

Put = Callable[[Any], object]


def _detour(*args: Any, _stand_in: Callable[..., Any], **kwargs: Any) -> Any:
    return _stand_in(*args, **kwargs)


class Switches:
    """Changes that are taken back, the last one first, when the block ends."""

    def __init__(self) -> None:
        self.undo: list[Callable[[], object]] = []
        self.stand_ins: dict[int, tuple[object, object]] = {}

    def __enter__(self) -> Switches:
        return self

    def __exit__(self, *_: object) -> None:
        while self.undo:
            with suppress(Exception):  # whatever the student's code did to one place, the others are put right
                self.undo.pop()()

    def attribute(self, owner: Any, name: str, stand_in: object) -> None:
        """Set one attribute of a module or class."""
        if name in vars(owner):
            before = vars(owner)[name]
            self.stand_ins[id(before)] = before, stand_in
            self.undo.append(partial(setattr, owner, name, before))
        else:
            self.undo.append(partial(delattr, owner, name))
        setattr(owner, name, stand_in)

    def function(self, owner: Any, name: str, stand_in: Callable[..., object]) -> None:
        """Let a function of a module do what `stand_in` does; one that this version lacks is passed over."""
        found = vars(owner).get(name)
        if isinstance(found, FunctionType) and not found.__code__.co_freevars:
            self.undo.append(partial(setattr, owner, name, found))  # if the student's code sets it anew
            self.undo.append(partial(setattr, found, "__kwdefaults__", found.__kwdefaults__))
            self.undo.append(partial(setattr, found, "__code__", found.__code__))
            found.__kwdefaults__ = {"_stand_in": stand_in}
            found.__code__ = _detour.__code__
        elif found is not None:
            self.attribute(owner, name, stand_in)

    def methods(self, owner: type, source: type, *names: str) -> None:
        """Give a class some methods of another."""
        for name in names:
            self.attribute(owner, name, vars(source)[name])

    def reachable_from(self, root: object) -> None:
        """Replace what was switched by attribute wherever the code behind `root` holds it under another name."""
        seen, queue = {id(root), id(builtins), id(vars(builtins))}, [root]
        while queue and len(seen) < MAX_LOOKS:
            with suppress(Exception):  # an object may refuse to be looked into or changed
                for value, put in places(queue.pop()):
                    if id(value) in self.stand_ins:
                        put(self.stand_ins[id(value)][1])
                        self.undo.append(partial(put, value))
                    elif id(value) not in seen and _is_students(value):
                        seen.add(id(value))
                        queue.append(value)


def _keep(value: object) -> None:
    """Stand for a place that is looked into and not changed."""


def places(holder: Any) -> Iterator[tuple[Any, Put]]:
    """Yield what `holder` holds, each with the way to put another thing in its place."""
    if isinstance(holder, dict):
        yield from ((value, partial(holder.__setitem__, key)) for key, value in list(holder.items()))
    elif isinstance(holder, list):
        yield from ((value, partial(holder.__setitem__, i)) for i, value in enumerate(holder))
    elif isinstance(holder, (tuple, set, frozenset)):
        yield from ((value, _keep) for value in holder)
    elif isinstance(holder, FunctionType):
        yield from _in_function(holder)
    elif isinstance(holder, partial):
        yield from _in_partial(holder)
    elif isinstance(holder, type):
        yield from ((value, partial(setattr, holder, name)) for name, value in list(vars(holder).items()))
        yield from ((base, _keep) for base in holder.__mro__)
    elif isinstance(holder, property):
        yield holder.fget, _keep
    else:
        yield from _in_object(holder)


def _in_function(function: FunctionType) -> Iterator[tuple[Any, Put]]:
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # an empty cell
            yield cell.cell_contents, partial(setattr, cell, "cell_contents")
    yield from _in_tuple(function.__defaults__ or (), partial(setattr, function, "__defaults__"))
    yield from ((held, _keep) for held in (function.__kwdefaults__, function.__dict__))
    if _is_own_module(function.__globals__.get("__name__")):
        yield function.__globals__, _keep


def _in_partial(call: partial[Any]) -> Iterator[tuple[Any, Put]]:
    def state(function: Any, args: tuple[Any, ...]) -> None:
        call.__setstate__((function, args, call.keywords, vars(call)))  # type: ignore[attr-defined]

    yield call.func, lambda function: state(function, call.args)
    yield from _in_tuple(call.args, lambda args: state(call.func, args))
    yield call.keywords, _keep


def _in_object(holder: Any) -> Iterator[tuple[Any, Put]]:
    if isinstance(holder, (MethodType, staticmethod, classmethod)):
        yield holder.__func__, _keep
        yield getattr(holder, "__self__", None), _keep
        return
    yield getattr(holder, "__dict__", None), _keep
    yield type(holder), _keep
    for name in (n for cls in type(holder).__mro__ for n in vars(cls).get("__slots__", ())):
        yield getattr(holder, name, None), partial(setattr, holder, name)


def _in_tuple(held: tuple[Any, ...], put: Put) -> Iterator[tuple[Any, Put]]:
    def at(i: int, value: object) -> None:
        nonlocal held
        held = (*held[:i], value, *held[i + 1 :])
        put(held)

    yield from ((value, partial(at, i)) for i, value in enumerate(held))


def _is_students(value: Any) -> bool:
    """Tell whether `value` may lead to places of the student's own."""
    try:
        return _leads_on(value)
    except Exception:  # an object may refuse to tell what it is
        return False


def _leads_on(value: Any) -> bool:
    if isinstance(value, (dict, list, tuple, set, frozenset)):
        return len(value) <= MAX_LENGTH
    if isinstance(value, FunctionType):
        return _is_own_module(value.__module__) or _is_own_module(value.__globals__.get("__name__"))
    if isinstance(value, ModuleType):
        return _is_own_module(value.__name__)
    if isinstance(value, (partial, MethodType, staticmethod, classmethod, property)):
        return True
    kind = value if isinstance(value, type) else type(value)
    return bool(kind.__flags__ & HEAP_TYPE) and (_is_own_module(kind.__module__) or "__wrapped__" in getattr(value, "__dict__", ()))


@cache
def _is_own_module(name: str | None) -> bool:
    """Tell whether a module is the student's: neither Python's nor installed; code without a module is theirs, too."""
    top = (name or "").partition(".")[0]
    if top == "__main__":  # its file is the program that runs the student's code
        return True
    file = getattr(sys.modules.get(top), "__file__", None) or ""
    return top not in LIBRARIES and "site-packages" not in file and "dist-packages" not in file
