"""Which of several logs is cleaned first (LogCleanerManager.grabFilthiestCompactedLog).

The one with the largest share of dirty bytes; of those that are equally dirty, such as all that were never cleaned, the
first one in the map of all logs. This shows where a failure stops the cleaner.
"""

from collections.abc import Iterable, Sequence
from typing import assert_never

from fakekafka.jvm.chains import case_class_hash, place_hash, through
from fakekafka.jvm.maps import MapKind
from fakekafka.log.checkpoints import Partition
from fakekafka.log.cleaner.cleanable import Candidate
from fakekafka.releases.behaviours.order_maps import NamedKey


def dirtiest(candidates: Sequence[Candidate], known: Iterable[Partition], key: NamedKey) -> Candidate:
    """The one to clean. `known`: every log of the broker; `key`: what the map of logs has as its keys."""
    most = max(candidate.part.ratio for candidate in candidates)
    tied = {candidate.key: candidate for candidate in candidates if candidate.part.ratio == most}
    if len(tied) == 1:
        return tied.popitem()[1]
    return next(tied[place] for place in _in_order(known, key) if place in tied)


def _in_order(known: Iterable[Partition], key: NamedKey) -> list[Partition]:
    match key:
        case "TopicPartition":
            return through((MapKind.JAVA_CONCURRENT,), known, place_hash)
        case "TopicAndPartition":
            return through((MapKind.JAVA_CONCURRENT,), known, case_class_hash)
        case _:
            assert_never(key)
