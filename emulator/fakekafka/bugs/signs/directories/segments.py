"""Signs in one segment."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from fakekafka.bugs.signs.directories.partition import PartitionFiles, SegmentFile
from fakekafka.bugs.signs.journals.produce import YEAR_MS
from fakekafka.bugs.signs.units import holes_in_wrapper, records_of, small_snappy_blocks, wrong_wrapper_time
from fakekafka.errors import MalformedBytes
from fakekafka.ids import TimestampMs
from fakekafka.records.batch import Batch
from fakekafka.records.message import Message
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release
from fakekafka.state.topics import CONSUMER_OFFSETS

PADDING: Final = 1000
MONTH_MS: Final = 30 * 86_400_000


class Circumstances(NamedTuple):
    """What is known besides the files."""

    now_ms: TimestampMs
    release: Release | None


Look: TypeAlias = Callable[[SegmentFile, PartitionFiles, Circumstances], str | None]
"""Looks for one bug. Returns what was seen, or None."""


def _of_units(see: Callable[[Batch], str | None]) -> Look:
    """A sign that one unit shows by itself."""

    def look(segment: SegmentFile, _: PartitionFiles, __: Circumstances) -> str | None:
        return next((seen for unit in segment.units if (seen := see(unit)) is not None), None)

    return look


# ---- files


def kafka_4734(segment: SegmentFile, _: PartitionFiles, __: Circumstances) -> str | None:
    path = segment.path.with_suffix(".timeindex")
    data = path.read_bytes() if segment.is_old and path.is_file() else b""
    return f"its time index is {len(data)} bytes of zeros" if len(data) > 12 and not any(data) else None


def kafka_5431(segment: SegmentFile, _: PartitionFiles, __: Circumstances) -> str | None:
    padded = len(segment.tail) > PADDING and not any(segment.tail)
    if padded and segment.units and segment.is_old:
        return f"{len(segment.tail)} bytes of zeros after the last record"
    return None


def kafka_7897(segment: SegmentFile, partition: PartitionFiles, _: Circumstances) -> str | None:
    old = bool(segment.units) and all(unit.magic < 2 for unit in segment.units) and not segment.is_old
    return "leader epochs are noted, though its format has none" if old and partition.epochs else None


# ---- formats


def mixed_magic(segment: SegmentFile, _: PartitionFiles, __: Circumstances) -> str | None:
    magics = sorted({unit.magic for unit in segment.units})
    return f"formats {', '.join(map(str, magics))} in one segment" if len(magics) > 1 else None


def kafka_4298(unit: Batch) -> str | None:
    if not isinstance(unit, Message) or not unit.codec:
        return None
    try:
        others = unit.magics_inside - {unit.magic}
    except MalformedBytes:
        return None
    return (
        f"offset {unit.last_offset}: messages of another format in a wrapper of format {unit.magic}" if others else None
    )


# ---- the cleaner


def kafka_1755(segment: SegmentFile, partition: PartitionFiles, _: Circumstances) -> str | None:
    for unit in segment.units if partition.is_compacted else ():
        if unit.magic < 2 and any(record.key is None for record in records_of(unit)):
            return f"the message at offset {unit.last_offset} has no key, and the topic is compacted"
    return None


def kafka_8335(segment: SegmentFile, _: PartitionFiles, __: Circumstances) -> str | None:
    empty = (unit for unit in segment.units if unit.magic == 2 and not unit.count and not unit.is_control)
    counts = Counter(unit.producer_id for unit in empty if unit.producer_id >= 0)
    most = max(counts.values(), default=0)
    return f"{most} batches without records of one producer" if most > 1 else None


def kafka_5443(unit: Batch) -> str | None:
    rows = records_of(unit) if unit.magic == 2 and unit.count and not unit.is_control else []
    if rows and rows[-1].offset < unit.last_offset:
        return f"the batch at {unit.base_offset} ends at {unit.last_offset}, its records at {rows[-1].offset}"
    return None


def kafka_8522(segment: SegmentFile, partition: PartitionFiles, given: Circumstances) -> str | None:
    for unit in segment.units:
        cleaned = unit.magic == 2 and unit.last_offset < partition.cleaned_to and not unit.is_control
        old = cleaned and unit.max_timestamp < given.now_ms - MONTH_MS and not unit.has_delete_horizon
        if old and any(record.value is None for record in records_of(unit)):
            return f"offset {unit.last_offset}: a tombstone that was cleaned, and is older than a month"
    return None


# ---- timestamps


def kafka_6482(segment: SegmentFile, _: PartitionFiles, given: Circumstances) -> str | None:
    times = (unit.max_timestamp for unit in segment.units if unit.magic)
    late = next((time for time in times if time > given.now_ms + 10 * YEAR_MS), None)
    return None if late is None else f"timestamp {late}, more than ten years ahead"


def seconds_as_ms(unit: Batch) -> str | None:
    return f"timestamp {unit.max_timestamp} is of 1970" if unit.magic and 10**9 < unit.max_timestamp < 10**10 else None


def kafkajs_188(unit: Batch) -> str | None:
    rows = records_of(unit)[:1] if unit.magic == 2 and not unit.is_control else []
    zero = any(row.timestamp == 0 for row in rows)
    return f"the records at offset {unit.base_offset} have timestamp 0" if zero else None


# ---- committed offsets


def offset_value_downgrade(segment: SegmentFile, partition: PartitionFiles, given: Circumstances) -> str | None:
    if partition.topic != CONSUMER_OFFSETS or given.release is None:
        return None
    newest = profile(given.release).offsets.newest_value
    for unit in segment.units:
        for record in records_of(unit) if not unit.is_control else ():
            if _version(record.key) in (0, 1) and _version(record.value) > newest:
                version = _version(record.value)
                return f"offset {record.offset}: a commit of version {version}; {given.release} reads {newest} at most"
    return None


def _version(data: bytes | None) -> int:
    return -1 if data is None or len(data) < 2 else int.from_bytes(data[:2], "big", signed=True)


LOOKS: Final[Mapping[str, Look]] = {
    "KAFKA-4734": kafka_4734, "KAFKA-5431": kafka_5431, "KAFKA-7897": kafka_7897, "MIXED-MAGIC": mixed_magic,
    "KAFKA-4298": _of_units(kafka_4298), "WRAPPER-TS-0.10.0": _of_units(wrong_wrapper_time),
    "KAFKA-5236": _of_units(small_snappy_blocks), "V1-HOLES": _of_units(holes_in_wrapper), "KAFKA-1755": kafka_1755,
    "KAFKA-8335": kafka_8335, "KAFKA-5443": _of_units(kafka_5443), "KAFKA-8522": kafka_8522, "KAFKA-6482": kafka_6482,
    "SECONDS-AS-MS": _of_units(seconds_as_ms), "KAFKAJS-188": _of_units(kafkajs_188),
    "OFFSET-VALUE-DOWNGRADE": offset_value_downgrade,
}  # fmt: skip
"""The signs by bug."""
