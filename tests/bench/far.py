"""A class on a cluster, timed from when every desk is open to the last record.

usage: python far.py ADDRESS EXERCISE OUT.json CLASS
"""

from __future__ import annotations

import json
import sys
from contextlib import closing
from pathlib import Path
from time import perf_counter

from courselib import classroom
from courselib.cluster import joining
from courselib.course import load_course


def main(address: str, exercise: str, out: str, folder: str) -> None:
    """Join the cluster, grade, write what came of it."""
    course = load_course()
    with (
        closing(classroom.Class(Path(folder), course, [exercise])) as students,
        closing(joining.employ(course, [exercise], address, "auto", None)) as cluster,
    ):
        began = perf_counter()
        marks = {record.student: record.score for record in cluster.records(students.works())}
        seconds = perf_counter() - began
    Path(out).write_text(json.dumps({"loop_s": seconds, "marks": marks}), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
