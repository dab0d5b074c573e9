"""A segment whose offsets do not fit relative to its base becomes several (Log.splitOverflowedSegment, KAFKA-6264).

From 2.0 on the cleaner does so when it meets such a segment, and a start that reads one through. Nothing is removed:
each part is a copy, up to the last unit whose offsets its index can express.
"""

from collections.abc import Callable, Iterator
from typing import Final

from fakekafka.ids import Offset, TimestampMs
from fakekafka.log.append_info import as_replica
from fakekafka.log.offset_index import MAX_RELATIVE_OFFSET
from fakekafka.log.segment import Segment
from fakekafka.records.batch import Batch

CHUNK_BYTES: Final = 1 << 20
"""How much is copied at once; each copy gets at most one entry of the offset index (LogSegment.appendFromFile)."""


def parts_of(segment: Segment, new_segment: Callable[[Offset], Segment], now: TimestampMs) -> list[Segment]:
    """The segments that take its place, made by `new_segment` for their bases, filled and finished."""
    parts: list[Segment] = []
    for base, chunk in _chunks(segment):
        if not parts or parts[-1].base_offset != base:
            parts.append(new_segment(base))
        info = as_replica(chunk)
        parts[-1].append(b"".join(bytes(batch.data) for batch in chunk), info, info.first_offset, now)
    for part in parts:
        part.finish(now, segment.last_modified_ms, keeps_tail=False)
    return parts


def _chunks(segment: Segment) -> Iterator[tuple[Offset, list[Batch]]]:
    """The batches of a segment, a chunk at a time, each with the base of its part."""
    base: Offset | None = None
    chunk: list[Batch] = []
    for batch in segment.batches():
        begins = base is None or batch.last_offset - base > MAX_RELATIVE_OFFSET
        if chunk and base is not None and (begins or sum(one.size for one in chunk) + batch.size >= CHUNK_BYTES):
            yield base, chunk
            chunk = []
        if begins:
            base = batch.base_offset
        chunk.append(batch)
    if base is not None:
        yield base, chunk
