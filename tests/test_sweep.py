from __future__ import annotations

import os
from pathlib import Path

from courselib.worker.sweep import sweep


def test_a_tower_of_folders_higher_than_any_path_goes(tmp_path: Path) -> None:
    top = tmp_path / "top"
    top.mkdir()
    here = os.getcwd()
    try:
        os.chdir(top)
        for i in range(3000):
            os.mkdir("d" * 100)
            os.chdir("d" * 100)
            if i % 1000 == 0:
                Path("file").write_text("x")
    finally:
        os.chdir(here)
    sweep(str(top))
    assert list(tmp_path.iterdir()) == []


def test_closed_folders_go_and_links_are_not_followed(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("x")
    top = tmp_path / "top"
    (top / "closed" / "in" / "deep").mkdir(parents=True)
    (top / "closed" / "in" / "file").write_text("x")
    (top / "link").symlink_to(kept)
    (top / "closed" / "link").symlink_to(kept / "file")
    (top / "closed" / "broken").symlink_to("nowhere")
    for folder in (top / "closed" / "in" / "deep", top / "closed" / "in", top / "closed", top):
        folder.chmod(0)
    sweep(str(top))
    assert list(tmp_path.iterdir()) == [kept]
    assert (kept / "file").read_text() == "x"


def test_a_link_in_the_place_of_the_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "kept")
    sweep(str(tmp_path / "link"))
    assert (tmp_path / "kept" / "file").exists()


def test_what_is_not_there_is_no_trouble(tmp_path: Path) -> None:
    sweep(str(tmp_path / "none"))
