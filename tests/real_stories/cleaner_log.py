"""How far a real broker's cleaner has come, by its checkpoint and the broker's log."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final

from fakekafka.ids import Offset

STOPS: Final = re.compile(r"(?i)cleaner.*(stopped|shutdown completed)|error.*cleaner")
LEFT_OUT: Final = re.compile(r"partition \((\S+)\) as uncleanable")
BEGUN: Final = re.compile(r"Beginning cleaning of log (\S+)\.")
CLEANED: Final = re.compile(r"cleaned log (\S+) \(dirty section = (\[.*?\])\)")


def outcome(ends: Mapping[str, Offset], checkpoint: str, log: str) -> bool | None:
    """Whether a pass over these partitions up to their ends has finished; None while it is under way.

    It has also finished if the cleaner cleans the same section for the second time: it will not get any further.
    """
    if _noted(checkpoint).items() >= ends.items() or _repeats(log) >= ends.keys():
        return True
    return False if STOPS.search(log) or ends.keys() & LEFT_OUT.findall(log) else None


def finds_nothing(ends: Mapping[str, Offset], log: str) -> bool:
    """Whether the cleaner has not begun with any of these partitions, because nothing in them counts as dirty."""
    return ends.keys().isdisjoint(BEGUN.findall(log))


def _noted(checkpoint: str) -> dict[str, Offset]:
    """The first dirty offset of each partition. The first two lines are a version and a count."""
    rows = [line.split() for line in checkpoint.splitlines()[2:]]
    return {f"{topic}-{index}": int(offset) for topic, index, offset in rows}


def _repeats(log: str) -> set[str]:
    """The partitions of which one section was cleaned more than once."""
    return {name for (name, _), times in Counter(CLEANED.findall(log)).items() if times > 1}
