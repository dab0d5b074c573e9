"""Signs in a log directory: what a bug leaves in segments and in the files beside them. The directory is not
changed.
"""

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Final

from fakekafka.bugs.signs.finding import Finding
from fakekafka.bugs.signs.of_journals import YEAR_MS, batches
from fakekafka.clock import SystemClock
from fakekafka.records.batch import Batch
from fakekafka.records.message import Message

MANY: Final = 100
"""More empty batches than producers normally leave."""


def diagnose_directory(directory: Path, now_ms: int | None = None) -> list[Finding]:
    """The bugs that fit, each once, with the place. `now_ms`: later timestamps are in the future; None: the
    system's time.
    """
    now = SystemClock().now_ms if now_ms is None else now_ms
    found: dict[str, Finding] = {}
    for finding in chain(_indexes(directory), _segments(directory, now)):
        found.setdefault(finding.bug, finding)
    return list(found.values())


def _indexes(directory: Path) -> Iterator[Finding]:
    for path in sorted(directory.rglob("*.timeindex")):
        data = path.read_bytes()
        is_old = any(other.stem > path.stem for other in path.parent.glob("*.log"))
        if len(data) > 12 and not any(data) and is_old:
            yield Finding("KAFKA-4734", f"{path.relative_to(directory)}: {len(data)} bytes of zeros")


def _segments(directory: Path, now: int) -> Iterator[Finding]:
    for path in sorted(directory.rglob("*.log")):
        data = path.read_bytes()
        units = batches(data)
        where = str(path.relative_to(directory))
        yield from (Finding(bug, f"{where}: {seen}") for bug, look in LOOKS.items() if (seen := look(units, now)))
        tail = data[sum(unit.size for unit in units) :]
        if (
            len(tail) > 1000
            and not any(tail)
            and units
            and any(other.stem > path.stem for other in path.parent.glob("*.log"))
        ):
            yield Finding("KAFKA-5431", f"{where}: {len(tail)} bytes of zeros after the last record")


def _mixed(units: list[Batch], _: int) -> str | None:
    magics = sorted({unit.magic for unit in units})
    return f"formats {', '.join(map(str, magics))} in one segment" if len(magics) > 1 else None


def _unreadable(units: list[Batch], _: int) -> str | None:
    for unit in units:
        if isinstance(unit, Message) and unit.codec and unit.magics_inside - {unit.magic}:
            return f"offset {unit.last_offset}: messages of another format in a wrapper of format {unit.magic}"
    return None


def _empties(units: list[Batch], _: int) -> str | None:
    empty = sum(unit.magic == 2 and not unit.count for unit in units)
    return f"{empty} batches without records" if empty >= MANY else None


def _hole(units: list[Batch], _: int) -> str | None:
    for unit in units:
        if unit.magic == 2 and unit.count and not unit.is_control:
            last = max(record.offset for record in unit.records())
            if last < unit.last_offset:
                return f"the batch at {unit.base_offset} ends at {unit.last_offset}, its records at {last}"
    return None


def _future(units: list[Batch], now: int) -> str | None:
    late = [unit.max_timestamp for unit in units if unit.magic and unit.max_timestamp > now + 10 * YEAR_MS]
    return f"timestamp {late[0]}, more than ten years ahead" if late else None


def _seconds(units: list[Batch], _: int) -> str | None:
    early = [unit.max_timestamp for unit in units if unit.magic and 10**9 < unit.max_timestamp < 10**10]
    return f"timestamp {early[0]} is of 1970" if early else None


LOOKS: Final[dict[str, Callable[[list[Batch], int], str | None]]] = {
    "MIXED-MAGIC": _mixed,
    "KAFKA-4298": _unreadable,
    "KAFKA-8335": _empties,
    "KAFKA-5443": _hole,
    "KAFKA-6482": _future,
    "SECONDS-AS-MS": _seconds,
}
"""The signs by bug."""
