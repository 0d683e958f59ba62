from __future__ import annotations

import io
import shutil
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from made import ROOT, write

from courselib import doctor
from courselib.course import load_course
from courselib.stubs import build

MANIFEST = "title: {{bn: কোর্স, en: Course}}\nunits:\n  unit:\n    title: {{bn: ক, en: A}}\n    exercises:\n{entries}"
ENTRY = "      {name}: {{hint: {{bn: ভাবো, en: Think}}}}\n"
SAMPLE = "memory_arithmetic"
KEPT = {
    "right": ["decimal_one_place.py", "lambdas.py"],
    "wrong": ["bias_left_out.py", "adamw_one_state.py"],
}
Spoil = Callable[[Path, str], object]


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{old} in {path.name}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def stub(root: Path, name: str) -> Path:
    return root / "exercises" / "unit" / f"{name}.py"


def solution(root: Path, name: str) -> Path:
    return root / "solutions" / "unit" / f"{name}.py"


def checks(root: Path, name: str) -> Path:
    return root / "autograder" / "unit" / f"{name}.py"


def kept(root: Path, name: str, kind: str) -> Path:
    """Return the first kept submission of a kind."""
    return sorted((root / "tests" / "submissions" / name / kind).glob("*.py"))[0]


def sound(root: Path, name: str) -> None:
    """Change nothing."""


def stub_earns(root: Path, name: str) -> None:
    for path in (stub(root, name), solution(root, name)):
        text = path.read_text(encoding="utf-8")
        lines = ["achieved_tflops = 11.5" if line.startswith("achieved_tflops") else line for line in text.splitlines()]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def stub_old(root: Path, name: str) -> None:
    change(stub(root, name), "# #", "# # Old:")


def stub_missing(root: Path, name: str) -> None:
    stub(root, name).unlink()


def mark_unknown(root: Path, name: str) -> None:
    for path in (stub(root, name), solution(root, name)):
        change(path, '# %% part="numbers"', '# %% part="number"')


def right_fails(root: Path, name: str) -> None:
    path = kept(root, name, "right")
    path.write_text(path.read_text(encoding="utf-8") + "\nbf16_master_mb = 1\n", encoding="utf-8")


def wrong_passes(root: Path, name: str) -> None:
    shutil.copy(solution(root, name), kept(root, name, "wrong"))
    path = kept(root, name, "wrong")
    path.write_text("# fails: counts_any_chain no_such_check\n" + path.read_text(encoding="utf-8"), encoding="utf-8")


def wrong_too_few(root: Path, name: str) -> None:
    kept(root, name, "wrong").unlink()


def wrong_unnamed(root: Path, name: str) -> None:
    change(kept(root, name, "wrong"), "# fails:", "# fail:")


def one_language(root: Path, name: str) -> None:
    change(checks(root, name), 'bn="fp32_adamw_mb ঠিক"', 'bn="fp32_adamw_mb is fine"')


def nine_points(root: Path, name: str) -> None:
    change(checks(root, name), '@check("parameters", 1, bn', '@check("parameters", 0, bn')


def leaks(root: Path, name: str) -> None:
    change(checks(root, name), "OK_FORMAT = False\n", "OK_FORMAT = False\n# seconds = milliseconds / 1000\n")
    change(
        checks(root, name),
        "def tflops_of_lesson(matmul_tflops: object) -> None:\n",
        "def tflops_of_lesson(matmul_tflops: object) -> None:\n    fp32_adamw_mb = 762.9\n",
    )


def reference_fails(root: Path, name: str) -> None:
    change(solution(root, name), "fp32_adamw_mb = 762.9", "fp32_adamw_mb = 7.9")


def checks_broken(root: Path, name: str) -> None:
    change(checks(root, name), "OK_FORMAT = False\n", "OK_FORMAT = Fallse\n")


def checks_missing(root: Path, name: str) -> None:
    checks(root, name).unlink()


def marker_alone(root: Path, name: str) -> None:
    change(solution(root, name), "# END SOLUTION", "# END")
    change(solution(root, name), "# END SOLUTION", "# END")
    change(solution(root, name), "# END SOLUTION", "# END")


NOTHING = "the stub earns nothing"
SPOILT: dict[Spoil, list[str]] = {
    sound: [],
    stub_earns: [NOTHING, "stub: achieved: passed"],
    stub_old: ["the stub is in step with its solution", "courselib build"],
    stub_missing: ["the stub is in step with its solution", "courselib build"],
    mark_unknown: ["the stub is in step with its solution", '# %% part="number": ?'],
    right_fails: ["2 other right ways earn full marks", "right/{right}: bf16_master: failed bf16_master_mb: 1 is not right"],
    wrong_passes: ["2 wrong ways fail the check they name", "wrong/{wrong}: counts_any_chain: passed", "wrong/{wrong}: no_such_check: ?"],
    wrong_unnamed: ["2 wrong ways fail the check they name", "{wrong}: # fails: ?"],
    wrong_too_few: ["1 wrong ways fail the check they name", "1 < 2"],
    one_language: ["each of 15 checks has its sentence, points and both languages", "fp32_adamw: bn"],
    nine_points: ["each of 15 checks has its sentence, points and both languages", "counts_known_chains: points", "9 != 10"],
    leaks: ["no answer is in what a student is given", "checks: fp32_adamw_mb = 762.9"],
    reference_fails: ["the checks run, and the reference passes them", "{name}.py: the reference solution itself does not pass the check"],
    checks_broken: ["the checks run, and the reference passes them", "NameError: name 'Fallse' is not defined"],
    checks_missing: ["the checks run, and the reference passes them", "FileNotFoundError: "],
    marker_alone: ["the checks run, and the reference passes them", "{name}.py:"],
}  # fmt: skip
NAMES = {spoil: spoil.__name__ for spoil in SPOILT}  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a course of the same exercise many times over, each spoilt in a way of its own."""
    root = tmp_path_factory.mktemp("course")
    write(root / "course.yaml", MANIFEST.format(entries="".join(ENTRY.format(name=name) for name in NAMES.values())))
    for name in NAMES.values():
        for tree in ("solutions", "autograder"):
            write(root / tree / "unit" / f"{name}.py", (ROOT / tree / "memory" / f"{SAMPLE}.py").read_text(encoding="utf-8"))
        for kind, files in KEPT.items():
            for file in files:
                source = ROOT / "tests" / "submissions" / SAMPLE / kind / file
                write(root / "tests" / "submissions" / name / kind / file, source.read_text(encoding="utf-8"))
    build(load_course(root))
    for spoil, name in NAMES.items():
        spoil(root, name)
    write(root / "exercises" / "unit" / "forgotten.py", "")
    write(root / "solutions" / "unit" / "notes.txt", "")
    write(root / "solutions" / "unit" / "__pycache__" / "x.pyc", "")
    write(root / "tests" / "submissions" / "nobody" / "right" / "a.py", "")
    write(root / "tests" / "submissions" / "sound" / "rihgt" / "b.py", "")
    return root


@pytest.fixture(scope="module")
def report(course: Path) -> dict[str, list[str]]:
    """Examine the whole course once; return by exercise what was printed against it, and the exit code."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()) as out:
        patch.setenv("COURSELIB_LANG", "en")
        patch.setattr(doctor, "RIGHT_AT_LEAST", 2)
        patch.setattr(doctor, "WRONG_AT_LEAST", 2)
        code = doctor.examine(load_course(course), [f"unit/{name}" for name in NAMES.values()], [], 1, "auto")
    found: dict[str, list[str]] = {"code": [str(code)]}
    for line in out.getvalue().splitlines():
        if not line.startswith(" "):
            about = line.removeprefix("unit/")
            found[about] = []
        elif not line.startswith("  ✓"):
            found[about].append(line.removeprefix("  ✗").strip())
    return found


@pytest.mark.parametrize(("spoil", "against"), SPOILT.items(), ids=NAMES.values())
def test_each_defect_is_found_and_nothing_else_is(report: dict[str, list[str]], spoil: Spoil, against: list[str]) -> None:
    name = NAMES[spoil]
    right, wrong = (sorted(KEPT[kind])[0] for kind in ("right", "wrong"))
    wanted = [line.format(name=name, right=right, wrong=wrong) for line in against]
    assert len(report[name]) == len(wanted), report[name]
    for line, start in zip(report[name], wanted, strict=True):
        assert line.startswith(start)


def test_every_file_must_belong_to_an_exercise_and_every_exercise_have_its_files(report: dict[str, list[str]]) -> None:
    assert report["Course"] == [
        "every file is accounted for",
        "exercises/unit/forgotten.py",
        "exercises/unit/stub_missing.py: ?",
        "autograder/unit/checks_missing.py: ?",
        str(Path("solutions/unit/notes.txt")),
        str(Path("tests/submissions/nobody/right/a.py")),
        str(Path("tests/submissions/sound/rihgt/b.py")),
    ]


def test_the_exit_code_is_1_and_the_report_says_which_walls_were_up(report: dict[str, list[str]]) -> None:
    assert report["code"] == ["1"]
    assert any(line.startswith("isolation: ") for line in report)


def test_a_sound_course_has_exit_code_0(
    course: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for tree in ("exercises", "solutions", "autograder"):
        text = (course / tree / "unit" / "sound.py").read_text(encoding="utf-8")
        write(tmp_path / tree / "unit" / "sound.py", text)
    shutil.copytree(course / "tests" / "submissions" / "sound", tmp_path / "tests" / "submissions" / "sound")
    shutil.rmtree(tmp_path / "tests" / "submissions" / "sound" / "rihgt")
    write(tmp_path / "course.yaml", MANIFEST.format(entries=ENTRY.format(name="sound")))
    monkeypatch.setattr(doctor, "RIGHT_AT_LEAST", 2)
    monkeypatch.setattr(doctor, "WRONG_AT_LEAST", 2)
    assert doctor.examine(load_course(tmp_path), ["unit/sound"], [], 1, "auto") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "✗" in line] == []
    assert "  ✓ the reference earns 8 of 10 (2 deferred)" in lines
