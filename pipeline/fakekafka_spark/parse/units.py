"""What units say about themselves without being opened: the headers of a run of units of one format, as arrays.

The byte maps are those of `fakekafka.records.v2` and `fakekafka.records.message`. In formats 0 and 1 a wrapper does not
say how many messages it holds nor where they begin: `counts` and `base_offsets` are UNKNOWN there. A unit that is too
small for its header, or of no known format, has `UNKNOWN` in all that cannot be read, and a word in `faults`.
"""

from typing import Any, NamedTuple

import numpy as np
from fakekafka.binary import crc32, crc32c
from fakekafka.ids import NO_EPOCH, NO_PRODUCER_EPOCH, NO_PRODUCER_ID, NO_SEQUENCE, NO_TIMESTAMP, Magic
from fakekafka.records import attributes as bits
from fakekafka.records import message, v2
from fakekafka.records.drafts import kip98
from fakekafka.records.drafts.first_set import FirstSets
from fakekafka.records.scan import NEWEST_MAGIC

from fakekafka_spark.parse.chunks import Chunk, Longs
from fakekafka_spark.parse.spans import Flags

BATCH_HEADER = np.dtype(
    [("base_offset", ">i8"), ("size", ">i4"), ("leader_epoch", ">i4"), ("magic", "i1"), ("crc", ">u4"),
     ("attributes", ">i2"), ("last_offset_delta", ">i4"), ("base_timestamp", ">i8"), ("max_timestamp", ">i8"),
     ("producer_id", ">i8"), ("producer_epoch", ">i2"), ("base_sequence", ">i4"), ("count", ">i4")]
)  # fmt: skip
MESSAGE_HEADER = np.dtype(
    [("offset", ">i8"), ("size", ">i4"), ("crc", ">u4"), ("magic", "i1"), ("attributes", "u1"), ("timestamp", ">i8")]
)
MIN_MESSAGE = {0: message.MIN_UNIT, 1: message.MIN_UNIT + 8}
assert BATCH_HEADER.itemsize == v2.HEADER_BYTES
assert MESSAGE_HEADER.itemsize == message.TIMESTAMP_AT + 8

UNKNOWN = -1


class Units(NamedTuple):
    """The headers of a run of units; parallel arrays, as long as `chunk.starts`."""

    chunk: Chunk
    magic: Magic
    attributes: Longs
    crcs: Longs
    base_offsets: Longs
    last_offsets: Longs
    base_timestamps: Longs
    max_timestamps: Longs
    timestamp_types: Longs
    leader_epochs: Longs
    producer_ids: Longs
    producer_epochs: Longs
    base_sequences: Longs
    counts: Longs
    faults: dict[int, str]
    """What is wrong with the frame of a unit, by its number in the run."""

    @property
    def number(self) -> int:
        """How many they are."""
        return len(self.chunk.starts)

    @property
    def of_first_draft(self) -> bool:
        """Whether they are sets of KIP-98's first draft (`first_sets.py`)."""
        return isinstance(self.chunk.dialect, FirstSets)

    @property
    def codecs(self) -> Longs:
        return self.attributes & bits.CODEC

    @property
    def positions(self) -> Longs:
        """Where the units begin in the file."""
        return self.chunk.starts + self.chunk.position

    @property
    def is_transactional(self) -> Flags:
        return self._flag(bits.TRANSACTIONAL)

    @property
    def is_control(self) -> Flags:
        return self._flag(bits.CONTROL)

    @property
    def has_delete_horizon(self) -> Flags:
        return self._flag(bits.DELETE_HORIZON)

    def _flag(self, bit: int) -> Flags:
        flags: Flags = (self.attributes & bit != 0) & (self.magic == 2)
        return flags

    def pick(self, which: Flags) -> "Units":
        """Some of the units."""
        if which.all():
            return self
        kept = np.flatnonzero(which)
        faults = {n: self.faults[unit] for n, unit in enumerate(kept.tolist()) if unit in self.faults}
        chunk = self.chunk._replace(starts=self.chunk.starts[kept], sizes=self.chunk.sizes[kept])
        columns = {name: getattr(self, name)[kept] for name in COLUMNS}
        return Units(chunk, self.magic, **columns, faults=faults)


COLUMNS = Units._fields[2:-1]
"""The arrays among its fields."""


def units_of(chunk: Chunk, magic: Magic) -> Units:
    """The headers of the units of `chunk`, which are all of format `magic`."""
    if magic == NEWEST_MAGIC:
        return _of_batches(chunk)
    if magic in MIN_MESSAGE:
        return _of_messages(chunk, magic)
    return _of_nothing_known(chunk, magic)


def crcs_ok(units: Units) -> Flags:
    """Which units have the checksum that they say."""
    data = memoryview(units.chunk.data)
    function, covered = (crc32c, v2.ATTRIBUTES_AT) if units.magic == 2 else (crc32, message.MAGIC_AT)
    if units.of_first_draft:
        function, covered = crc32, kip98.COVERED_FROM
    starts, ends = units.chunk.starts.tolist(), (units.chunk.starts + units.chunk.sizes).tolist()
    sums = [function(data[start + covered : end]) for start, end in zip(starts, ends)]
    right: Flags = np.array(sums, np.int64) == units.crcs
    return right


def _of_batches(chunk: Chunk) -> Units:
    rows = _rows(chunk, BATCH_HEADER)
    attributes, max_timestamps = _longs(rows["attributes"]), _longs(rows["max_timestamp"])
    base_offsets = _longs(rows["base_offset"])
    small = np.flatnonzero(chunk.sizes < v2.HEADER_BYTES)
    return Units(
        chunk,
        2,
        attributes,
        _longs(rows["crc"]),
        base_offsets,
        base_offsets + rows["last_offset_delta"],
        _longs(rows["base_timestamp"]),
        max_timestamps,
        np.where(attributes & bits.LOG_APPEND_TIME, bits.LOG_APPEND_TIME_TYPE, bits.CREATE_TIME_TYPE),
        _longs(rows["leader_epoch"]),
        _longs(rows["producer_id"]),
        _longs(rows["producer_epoch"]),
        _longs(rows["base_sequence"]),
        _longs(rows["count"]),
        {n: f"a batch of {chunk.sizes[n]} bytes has no room for its header" for n in small.tolist()},
    )


def _of_messages(chunk: Chunk, magic: Magic) -> Units:
    rows = _rows(chunk, MESSAGE_HEADER)
    attributes, offsets = _longs(rows["attributes"]), _longs(rows["offset"])
    timestamps, kinds = _all(chunk, NO_TIMESTAMP), _all(chunk, bits.NO_TIMESTAMP_TYPE)
    if magic == 1:
        timestamps = _longs(rows["timestamp"])
        kinds = np.where(attributes & bits.LOG_APPEND_TIME, bits.LOG_APPEND_TIME_TYPE, bits.CREATE_TIME_TYPE)
    plain = attributes & bits.CODEC == 0
    small = np.flatnonzero(chunk.sizes < MIN_MESSAGE[magic])
    return Units(
        chunk,
        magic,
        attributes,
        _longs(rows["crc"]),
        np.where(plain, offsets, UNKNOWN),
        offsets,
        timestamps,
        timestamps,
        kinds,
        _all(chunk, NO_EPOCH),
        _all(chunk, NO_PRODUCER_ID),
        _all(chunk, NO_PRODUCER_EPOCH),
        _all(chunk, NO_SEQUENCE),
        np.where(plain, 1, UNKNOWN),
        {n: f"a message of {chunk.sizes[n]} bytes has no room for its header" for n in small.tolist()},
    )


def _of_nothing_known(chunk: Chunk, magic: Magic) -> Units:
    """Offset and size are all that can be said."""
    offsets = _longs(_rows(chunk, MESSAGE_HEADER)["offset"])
    unknown = _all(chunk, UNKNOWN)
    columns = dict.fromkeys(COLUMNS, unknown) | {"attributes": _all(chunk, 0), "last_offsets": offsets}
    return Units(chunk, magic, faults=dict.fromkeys(range(len(chunk.starts)), f"magic {magic}"), **columns)


def _rows(chunk: Chunk, header: Any) -> Any:
    """The headers as rows of a structured array. Those of units that are too small hold whatever follows."""
    data = np.frombuffer(chunk.data, np.uint8)
    places = chunk.starts[:, None] + np.arange(header.itemsize)
    return data.take(places, mode="clip").view(header)[:, 0]


def _longs(column: Any) -> Longs:
    return column.astype(np.int64)  # type: ignore[no-any-return]


def _all(chunk: Chunk, value: int) -> Longs:
    return np.full(len(chunk.starts), value, np.int64)
