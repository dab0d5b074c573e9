"""CPU time and memory of the whole of Spark: this process, the JVM, and its Python workers. Linux only, by /proc."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

TICKS = os.sysconf("SC_CLK_TCK")


PAGE_MB = os.sysconf("SC_PAGE_SIZE") / (1 << 20)


class Process(NamedTuple):
    """What the system says about a process."""

    parent: int
    name: str
    cpu_ticks: int
    resident_mb: float


def cpu_seconds() -> float:
    """CPU time used so far by this process and all below it, including those that have ended."""
    return sum(process.cpu_ticks for process in processes().values()) / TICKS


def processes() -> dict[int, Process]:
    """This process and all below it."""
    every: dict[int, Process] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = stat.read_text("utf-8").partition("(")[2].rpartition(")")
        except OSError:  # it has just ended
            continue
        fields = rest.split()
        ticks = sum(map(int, fields[11:15]))
        every[int(stat.parent.name)] = Process(int(fields[1]), name, ticks, int(fields[21]) * PAGE_MB)
    below = {os.getpid()}
    while more := {pid for pid, process in every.items() if process.parent in below} - below:
        below |= more
    return {pid: every[pid] for pid in below}


def memory_mb() -> tuple[float, float]:
    """Memory of the JVM, and of the largest Python process below this one."""
    below = [process for pid, process in processes().items() if pid != os.getpid()]
    jvm = [process.resident_mb for process in below if process.name == "java"]
    workers = [process.resident_mb for process in below if process.name.startswith("python")]
    return max(jvm, default=0.0), max(workers, default=0.0)


def cpu_of(action: Callable[[], object]) -> float:
    """CPU seconds that an action takes."""
    before = cpu_seconds()
    action()
    return cpu_seconds() - before
