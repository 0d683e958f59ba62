"""The commands, one verb each; a mistake of use is one sentence on stderr and exit code 2."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import Any

from courselib.text import LANGUAGES


def main(argv: Sequence[str] | None = None) -> None:
    """Run `courselib` with `argv` and exit."""
    args = list(sys.argv[1:] if argv is None else argv) or ["--help"]
    if asked := _asked_language(args):
        os.environ["COURSELIB_LANG"] = asked
    _speak_utf8()
    sys.exit(_run(args))


def _asked_language(args: list[str]) -> str | None:
    """Return what --lang asks for, wherever it stands: help texts are made before the options are parsed."""
    for i, arg in enumerate(args):
        value = arg.removeprefix("--lang=") if arg.startswith("--lang=") else args[i + 1] if arg == "--lang" and i + 1 < len(args) else ""
        if value in LANGUAGES:
            return value
    return None


def _speak_utf8() -> None:
    """Read and write UTF-8 wherever it goes: Windows takes another encoding for a file or a pipe, and has no Bangla in it."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=errors)


def _run(args: list[str]) -> int:
    import typer

    from courselib.commands import app
    from courselib.trouble import Trouble

    try:
        return int(app(args, prog_name="courselib", standalone_mode=False) or 0)
    except Trouble as trouble:
        return _complain(trouble.sentence.read())
    except typer.Exit as end:
        return end.exit_code
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except OSError as fault:
        if fault.filename is None:  # no file that somebody named: a fault of our own
            raise
        return _complain(f"{fault.filename}: {fault.strerror}")
    except Exception as misuse:
        if not hasattr(misuse, "format_message"):  # the base class of Typer's own has moved between its versions
            raise
        return _misused(misuse)


def _misused(fault: Any) -> int:
    """Tell what was typed wrongly; a command of commands that stands alone is asked what it can do."""
    from courselib import misuse

    if fault.__class__.__name__ == "NoArgsIsHelpError":
        print(fault.format_message())
        return 0
    return _complain(misuse.told(fault.format_message()).read())


def _complain(sentence: str) -> int:
    print(f"courselib: {sentence}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    main()
