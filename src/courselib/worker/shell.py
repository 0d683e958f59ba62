"""Running a submission's cells as IPython would, and keeping the names they leave.

One IPython shell is made in the zygote, before the fork, so that magics, `!lines` and Colab exports
mean what they mean in a notebook. No kernel is looked up, nothing is displayed, nothing is installed.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import os
import sys
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

from IPython.core.history import HistoryManager
from IPython.core.interactiveshell import InteractiveShell

from courselib.worker.cell import Cell
from courselib.worker.mishap import Mishap, describe, remember

INSTALLING = ("pip", "conda", "mamba", "uv")  # magics that are passed over and told of
DISPLAYING = ("matplotlib", "pylab", "gui")  # magics that mean nothing here


class Shell:
    """The student's names and the IPython shell that their cells run in."""

    def __init__(self) -> None:
        HistoryManager.enabled = False  # its thread must not exist before a fork
        self.ip: Any = InteractiveShell.instance()
        self.ip.system = self.ip.system_raw = self.ip.system_piped = self._skip
        self.ip.getoutput = self._skip_output
        self.ip.ask_exit = _leave
        for magic in INSTALLING:
            self.ip.register_magic_function(partial(self._note, f"%{magic} "), "line", magic)
        for magic in DISPLAYING:
            self.ip.register_magic_function(lambda line: None, "line", magic)
        self.ip.showtraceback = self.ip.showsyntaxerror = lambda *args, **kwargs: None
        self.checked: Callable[[str], None] = lambda question: None  # told of each `grader.check` in a student's own cells
        sys.modules["otter"] = self._otter()
        self.names: dict[str, Any] = self.ip.user_ns
        self.own = frozenset(self.names)
        self.files: set[str] = set()
        self.notes: list[str] = []

    def run(self, cell: Cell) -> Mishap | None:
        """Run one cell; return what it raised, if anything, and keep the names it made before that."""
        remember(cell["name"], cell["source"])
        self.files.add(cell["name"])
        try:
            code = self._compile(cell)
            with self.ip.builtin_trap, self.ip.display_trap:
                self._execute(code)
        except BaseException as error:  # SystemExit and KeyboardInterrupt of the student, too
            return describe(error, self.files)
        return None

    def _compile(self, cell: Cell) -> Any:
        """Compile as Python; what Python refuses is first put through IPython's own transformations."""
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        try:
            return compile(cell["source"], cell["name"], "exec", flags, dont_inherit=True)
        except SyntaxError:
            source = self.ip.transform_cell(cell["source"])
            if source.strip() == cell["source"].strip():
                raise
            return compile(source, cell["name"], "exec", flags, dont_inherit=True)

    def _execute(self, code: Any) -> None:
        if code.co_flags & inspect.CO_COROUTINE:
            asyncio.run(eval(code, self.names))
        else:
            exec(code, self.names)

    def _note(self, sign: str, command: str) -> None:
        self.notes.append(f"{sign}{command}"[:200])

    def _skip(self, command: str) -> None:
        self._note("!", command)

    def _skip_output(self, command: str, *args: object, **kwargs: object) -> list[str]:
        self._skip(command)
        return []

    def _otter(self) -> ModuleType:
        otter = ModuleType("otter")
        otter.Notebook = partial(_Grader, self)  # type: ignore[attr-defined]
        return otter

    def left(self) -> list[str]:
        """Return the names that the submission made."""
        return [n for n in self.names if n not in self.own]


class _Grader:
    """What `otter.Notebook` is here: the checks in a student's own cells ask nothing, and say where they stand."""

    def __init__(self, shell: Shell, *args: object, **kwargs: object) -> None:
        self._shell = shell

    def check(self, question: object = "", *args: object, **kwargs: object) -> None:
        """Tell the shell that a check stands here."""
        self._shell.checked(str(question))

    def __getattr__(self, name: str) -> Any:
        return lambda *args, **kwargs: None


def _leave() -> None:
    raise SystemExit


def lay_out(folder: str, files: list[tuple[str, Any]]) -> None:
    """Put what came with the answer into its folder; that is the last place from which Python imports, so nothing there hides a library."""
    for name, data in files:
        path = os.path.join(folder, *name.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data.tobytes())
    if folder not in sys.path:
        sys.path.append(folder)


def steady(folder: str) -> None:
    """Bring back the library state that a student's code may have moved, before the next check."""
    import torch

    os.chdir(folder)
    torch.set_default_dtype(torch.float32)
    torch.set_grad_enabled(True)
    torch.default_generator.manual_seed(0)  # torch.manual_seed also writes down a whole stack for a GPU to come
