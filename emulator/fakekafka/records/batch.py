"""What can be read from every batch, whatever its format.

"Batch" is a unit of the log: a format 2 batch, a wrapper message of format 0 or 1, or one uncompressed message of
these. A batch is a *view*: it keeps the unit's bytes and decodes them on demand. It shows the bytes as they were when
it was made; after stamping a unit in place, make a new view.
"""

from collections.abc import Iterator
from typing import Protocol

from fakekafka.ids import (
    Buffer,
    CodecId,
    LeaderEpoch,
    Magic,
    Offset,
    ProducerEpoch,
    ProducerId,
    Sequence,
    TimestampMs,
)
from fakekafka.records.record import Record


class Batch(Protocol):
    """The read interface of `message.Message` and `v2.RecordBatch`. Deep properties may raise any `MalformedBytes`."""

    @property
    def data(self) -> Buffer:
        """The whole unit, its 12 bytes of offset and size included."""

    @property
    def magic(self) -> Magic: ...

    @property
    def size(self) -> int:
        """Bytes of the unit."""

    @property
    def codec(self) -> CodecId: ...

    @property
    def base_offset(self) -> Offset:
        """The first record's offset. Deep for wrappers, whose header does not have it."""

    @property
    def last_offset(self) -> Offset:
        """The last offset that the unit covers; in format 2 its record may have been compacted away."""

    @property
    def max_timestamp(self) -> TimestampMs: ...

    @property
    def timestamp_type(self) -> int:
        """0 CreateTime, 1 LogAppendTime, -1 none (format 0)."""

    @property
    def leader_epoch(self) -> LeaderEpoch: ...

    @property
    def producer_id(self) -> ProducerId: ...

    @property
    def producer_epoch(self) -> ProducerEpoch: ...

    @property
    def base_sequence(self) -> Sequence: ...

    @property
    def last_sequence(self) -> Sequence: ...

    @property
    def is_transactional(self) -> bool: ...

    @property
    def is_control(self) -> bool: ...

    @property
    def has_delete_horizon(self) -> bool: ...

    @property
    def count(self) -> int:
        """Records in the unit: by the header in format 2, counted (deep) in wrappers."""

    def crc_ok(self) -> bool:
        """Whether the stored checksum matches the bytes."""

    def records(self) -> Iterator[Record]:
        """The records, with absolute offsets and effective timestamps."""


class Dialect(Protocol):
    """How a draft reads a unit of format 2, if not as it was shipped."""

    def batch(self, data: Buffer) -> Batch:
        """The view of one unit. Raises `CorruptUnit` when it is too small for its header."""
