"""The commands, one verb each; a mistake of use is one sentence on stderr and exit code 2."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from courselib.text import LANGUAGES, language, use_language


def main(argv: Sequence[str] | None = None) -> None:
    """Run `courselib` with `argv` and exit."""
    args = list(sys.argv[1:] if argv is None else argv)
    use_language(_asked_language(args) or language())
    sys.exit(_run(args))


def _asked_language(args: list[str]) -> str | None:
    """Return what --lang asks for: help texts are made before the options are parsed."""
    for i, arg in enumerate(args):
        value = arg.removeprefix("--lang=") if arg.startswith("--lang=") else args[i + 1] if arg == "--lang" and i + 1 < len(args) else ""
        if value in LANGUAGES:
            return value
    return None


def _run(args: list[str]) -> int:
    import click

    from courselib.commands import app
    from courselib.trouble import Trouble

    try:
        result = app(args, prog_name="courselib", standalone_mode=False)
    except Trouble as trouble:
        print(f"courselib: {trouble.sentence.read()}", file=sys.stderr)
        return 2
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as misuse:
        print(f"courselib: {misuse.format_message()}", file=sys.stderr)
        return 2
    except (KeyboardInterrupt, click.exceptions.Abort):
        return 130
    return int(result or 0)


if __name__ == "__main__":
    main()
