"""Which neighbouring segments become one (Cleaner.groupSegmentsBySize).

Cleaning shrinks segments; so that they do not become tiny over time, several are written into one as long as their
sizes before cleaning fit, those of their indexes fit too, and their offsets can be written relative to its base.
"""

from collections.abc import Sequence
from typing import assert_never

from fakekafka.ids import Offset
from fakekafka.log.config import LogConfig
from fakekafka.log.offset_index import MAX_RELATIVE_OFFSET
from fakekafka.log.segment import Segment
from fakekafka.log.time_index import ENTRY_SIZE as TIME_ENTRY_SIZE
from fakekafka.releases.behaviours.cleaner import CleanerBehaviour


def groups(
    segments: Sequence[Segment], end: Offset, config: LogConfig, rules: CleanerBehaviour, has_times: bool
) -> list[list[Segment]]:
    """`segments` cut into groups. `end`: where what may be cleaned ends. `has_times`: there are time indexes."""
    grouped: list[list[Segment]] = []
    sums: list[int] = []
    for at, segment in enumerate(segments):
        behind = segments[at + 1].base_offset if at + 1 < len(segments) else end
        sizes = _sizes(segment, has_times)
        together = [a + b for a, b in zip(sums, sizes)]
        if grouped and _fits(together, config, rules) and _reaches(grouped[-1][0], segment, behind - 1, rules):
            grouped[-1].append(segment)
            sums = together
        else:
            grouped.append([segment])
            sums = sizes
    return grouped


def _sizes(segment: Segment, has_times: bool) -> list[int]:
    """Bytes of the log, of the offset index, and of the time index if there is one."""
    index = segment.load_offset_index()
    times = [TIME_ENTRY_SIZE * len(segment.load_time_index())] if has_times else []
    return [segment.size, index.entry_size * len(index), *times]


def _fits(sizes: Sequence[int], config: LogConfig, rules: CleanerBehaviour) -> bool:
    limits = config.segment_bytes, config.segment_index_bytes, config.segment_index_bytes
    spare = 0 if rules.group_limit == "up to" else 1
    return all(size + spare <= limit for size, limit in zip(sizes, limits))


def _reaches(first: Segment, segment: Segment, last: Offset, rules: CleanerBehaviour) -> bool:
    """Whether the offsets of `segment`, which go up to `last`, can be written relative to the base of `first`."""
    match rules.group_span:
        case "any":
            return True
        case "index":
            last = segment.load_offset_index().last_offset
        case "next segment, none if empty":
            if segment.size == 0:
                return True
        case "next segment":
            pass
        case span:
            assert_never(span)
    return last - first.base_offset <= MAX_RELATIVE_OFFSET
