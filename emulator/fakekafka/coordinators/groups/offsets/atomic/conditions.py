"""Conditions of commits: "update the offset to x, iff the current offset is y", the design's open question.

The design would have added the current offset to the request. Unmodified clients cannot send it, so it stands in front
of the metadata: `if-offset=5;the metadata`. A condition is taken off before the commit is written; `if-offset=-1;`
expects that nothing is committed. Where one of a commit is not met, nothing of the commit counts, and all of it is
refused with error 42 (INVALID_REQUEST).
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from fakekafka.coordinators.groups.offsets.store import Entry, OffsetStore
from fakekafka.ids import NO_OFFSET

_CONDITION: Final = re.compile(r"if-offset=(-1|\d{1,19});(.*)", re.DOTALL)


class Conditional(NamedTuple):
    """A commit without its conditions."""

    commits: list[Entry]
    is_met: bool


def judged(group_id: str, commits: Sequence[Entry], offsets: OffsetStore) -> Conditional:
    """What is to be written of a commit, and whether what it expects is so."""
    is_met = True
    plain: list[Entry] = []
    for topic, partition, committed in commits:
        found = _CONDITION.fullmatch(committed.metadata)
        if found is not None:
            current = offsets.get(group_id, topic, partition)
            is_met &= int(found[1]) == (NO_OFFSET if current is None else current.offset)
            committed = committed._replace(metadata=found[2])
        plain.append((topic, partition, committed))
    return Conditional(plain, is_met)
