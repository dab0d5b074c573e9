"""Records damaged where they are stored, as by a bad disk."""

from typing import Final, Literal, TypeAlias, get_args

from fakekafka.errors import UsageError
from fakekafka.faults.corruption import LEAST, damaged
from fakekafka.ids import Offset
from fakekafka.log.segment import Segment
from fakekafka.storage.partition import Partition

AtRest: TypeAlias = Literal["flip a byte", "bad crc", "zeros"]
HEADER: Final = 61
"""The size of a batch header in format 2; in older formats, even more bytes than that precede the values."""


def damage(partition: Partition, how: AtRest, offset: Offset | None = None) -> Offset:
    """Damage the batch that holds `offset`, or the last one. Returns the offset of its first record. Raises
    `UsageError`.
    """
    if how not in get_args(AtRest):
        raise UsageError(f"how={how!r}: one of {', '.join(map(repr, get_args(AtRest)))}")
    segment, position, first = _located(partition, offset)
    log = segment.open_log()
    tail = b"".join(bytes(piece) for piece in log.read(position, log.size - position))
    size = 12 + int.from_bytes(tail[8:12], "big")
    log.truncate(position, log.last_modified_ms)
    log.append(_damaged(tail[:size], how) + tail[size:], log.last_modified_ms)
    return first


def _damaged(batch: bytes, how: AtRest) -> bytes:
    if how == "zeros":
        kept = min(HEADER, len(batch) - 1)
        return batch[:kept].ljust(len(batch), b"\0")
    return damaged(batch, how)


def _located(partition: Partition, offset: Offset | None) -> tuple[Segment, int, Offset]:
    """The segment, position and first offset of the batch to damage."""
    for segment in reversed(partition.log.segments):
        units = segment.load_units()
        at = len(units) - 1 if offset is None else units.find(offset)
        if offset is not None and offset < segment.base_offset:
            continue
        if 0 <= at < len(units) and units.end_of(at) - units.positions[at] >= LEAST:
            position = units.positions[at]
            return segment, position, next(segment.batches(position)).base_offset
    place = f"{partition.topic.name}-{partition.index}"
    raise UsageError(f"{place} stores nothing{'' if offset is None else f' at {offset}'}")
