"""What all benchmarks share: taking turns, rows with a ratio and a goal, printing them.

A machine's pace changes from second to second, so two sides are measured in turns, each turn gives one ratio, and the
median of the ratios counts. A goal is a ratio too, or a time that leaves plenty of room.
"""

import gc
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, TypeVar

T = TypeVar("T")

PEER: Final = "librdkafka's mock"


class Row(NamedTuple):
    """One line of the report."""

    what: str
    unit: str
    ours: float
    peer: float | None = None
    ratio: float | None = None
    """The ratio of ours to the peer's: the median over the rounds."""
    goal: str = ""
    reached: bool | None = None
    """Whether the goal is reached; None if there is no goal."""


def in_turns(rounds: int, *sides: Callable[[], T]) -> list[list[T]]:
    """The measurements of each side, one a round, taken in turns."""
    found: list[list[T]] = [[] for _ in sides]
    for _ in range(rounds):
        for side, values in zip(sides, found):
            values.append(side())
    return found


def compared(
    what: str,
    unit: str,
    ours: Sequence[float],
    peer: Sequence[float],
    at_most: float | None = None,
    at_least: float | None = None,
) -> Row:
    """A row of two sides. `at_most` and `at_least` are goals for the ratio."""
    ratio = median(o / p for o, p in zip(ours, peer))
    row = Row(what, unit, median(ours), median(peer), ratio)
    if at_most is not None:
        return row._replace(goal=f"at most {at_most:g}x", reached=ratio <= at_most)
    if at_least is not None:
        return row._replace(goal=f"at least {at_least:g}x", reached=ratio >= at_least)
    return row


def alone(what: str, unit: str, ours: Iterable[float], at_most: float | None = None) -> Row:
    """A row without a peer."""
    value = median(ours)
    if at_most is None:
        return Row(what, unit, value)
    return Row(what, unit, value, goal=f"at most {at_most:g} {unit}", reached=value <= at_most)


def milliseconds(action: Callable[[], object]) -> float:
    """How many milliseconds the action takes."""
    gc.collect()
    started = time.perf_counter()
    action()
    return (time.perf_counter() - started) * 1000


def children_cpu_ms() -> float:
    """CPU time of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1000


def new_process(code: str) -> str:
    """Run Python code in a new process, with bytecode files as in an installation, and return what it prints."""
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, env=with_bytecode(), check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ).stdout


def with_bytecode() -> dict[str, str]:
    """The environment, with a place for bytecode files that lasts as long as this process."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": _bytecode_directory().name}


@cache
def _bytecode_directory() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="bytecode-")


def print_rows(title: str, rows: Iterable[Row]) -> None:
    print(f"\n{title}")
    for row in rows:
        peer = "" if row.peer is None else f"{_number(row.peer):>9}"
        ratio = "" if row.ratio is None else f"{_number(row.ratio)}x"
        mark = {None: "", True: "reached", False: "MISSED"}[row.reached]
        line = f"  {row.what:44} {_number(row.ours):>9} {peer:>9}  {row.unit:8} {ratio:>8}  {row.goal:16} {mark}"
        print(line.rstrip(), flush=True)


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
