"""The wall once more for a grader who is no root: where the gate runs as root, the same tests run as an ordinary user.

Python, or the checkout, may lie in a home that is closed to others; in a mount namespace of the test's own that home is open.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from shlex import quote

import pytest
from conftest import ROOT

USER = 64321  # nobody else's, so that no process of others counts against its limits
TESTS = ("tests/test_hostile.py", "tests/test_sandbox.py", "tests/test_layouts.py::test_a_folder_that_cannot_be_read_costs_one_student")
TOOLS = ("unshare", "setpriv", "mount")


def opened(places: list[Path], room: Path) -> Iterator[str]:
    """Yield the commands that open each of `places` to all, in a mount namespace."""
    shut = {place: next((p for p in reversed(place.parents) if not p.stat().st_mode & 1), None) for place in places}
    hidden = [place for place, closed in shut.items() if closed]
    for n, place in enumerate(hidden):
        yield f"mkdir {room}/{n} && mount --bind {quote(str(place))} {room}/{n}"
    for closed in {str(shut[place]) for place in hidden}:
        yield f"mount -t tmpfs -o mode=755 tmpfs {quote(closed)}"
    for n, place in enumerate(hidden):
        yield f"mkdir -p {quote(str(place))} && mount --bind {room}/{n} {quote(str(place))}"


def as_a_user(*words: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the checkout as `USER`, who has a folder for home and temporary files."""
    places = list(dict.fromkeys([Path(sys.base_prefix), Path(sys.prefix), ROOT]))
    python = " ".join(map(quote, (sys.executable, *words)))
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        os.chown(folder, USER, USER)
        enter = f"cd {quote(str(ROOT))} && export HOME={folder} PYTEST_DEBUG_TEMPROOT={folder}"
        become = f"exec setpriv --reuid {USER} --regid {USER} --clear-groups {python}"
        line = ["unshare", "--mount", "sh", "-c", " && ".join([*opened(places, Path(folder)), enter, become])]
        return subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="the tests run as an ordinary user as it is")
def test_the_wall_holds_for_an_ordinary_user_too() -> None:
    if missing := [tool for tool in TOOLS if not shutil.which(tool)]:
        pytest.skip(f"no ordinary user can be had here without {missing}")
    if why := as_a_user("-c", "import courselib.sandbox").stderr:
        pytest.skip(f"no ordinary user can be had here: {why[-200:]}")
    done = as_a_user("-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
    if "skipped" in (last := done.stdout.splitlines()[-1]):
        pytest.skip(f"in part: {last}")
