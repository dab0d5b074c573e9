"""Conditions of commits: "update the offset to x, iff the current offset is y", the design's open question.

The design would have added the current offset to the request. Unmodified clients cannot send it, so it stands in front
of the metadata: `if-offset=5;the metadata`. A condition is removed before the commit is written; `if-offset=-1;`
expects that nothing is committed. If one condition of a commit is not met, the whole commit is refused with error 42
(INVALID_REQUEST).
"""

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from fakekafka.coordinators.groups.offsets.store import Committed, Entry
from fakekafka.ids import NO_OFFSET, PartitionIndex, TopicName

Current: TypeAlias = Callable[[str, TopicName, PartitionIndex], Committed | None]
"""The current offset of a group, topic and partition."""
_CONDITION: Final = re.compile(r"if-offset=(-1|\d{1,19});(.*)", re.DOTALL)


class Conditional(NamedTuple):
    """A commit without its conditions."""

    commits: list[Entry]
    is_met: bool


def judged(group_id: str, commits: Sequence[Entry], current_of: Current) -> Conditional:
    """A commit as it is to be written, and whether its conditions are met."""
    is_met = True
    plain: list[Entry] = []
    for topic, partition, committed in commits:
        match = _CONDITION.fullmatch(committed.metadata)
        if match is not None:
            current = current_of(group_id, topic, partition)
            is_met &= int(match[1]) == (NO_OFFSET if current is None else current.offset)
            committed = committed._replace(metadata=match[2])
        plain.append((topic, partition, committed))
    return Conditional(plain, is_met)
