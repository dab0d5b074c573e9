"""CPU time of a whole Spark: this process, the JVM, and its Python workers. Linux only, by /proc."""

import os
from collections.abc import Callable
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds() -> float:
    """Used so far by this process and all below it, those that have ended included."""
    used: dict[int, tuple[int, int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text("utf-8").rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        used[int(stat.parent.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    below = {os.getpid()}
    while more := {pid for pid, (parent, _) in used.items() if parent in below} - below:
        below |= more
    return sum(used[pid][1] for pid in below) / TICKS


def cpu_of(action: Callable[[], object]) -> float:
    """CPU seconds that an action takes."""
    before = cpu_seconds()
    action()
    return cpu_seconds() - before
