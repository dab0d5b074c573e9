"""What a topic wants of a set of records on its way into a log, and what becomes of the set."""

from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import Final, NamedTuple, TypeAlias, assert_never

from fakekafka.errors import ErrorCode, FakeKafkaError
from fakekafka.ids import Buffer, CodecId, DurationMs, LeaderEpoch, Magic, Offset, TimestampMs
from fakekafka.records.batch import Batch
from fakekafka.records.plugged import PluggedCodecs
from fakekafka.releases.behaviours.append import AppendBehaviour

NO_LIMIT: DurationMs = (1 << 63) - 1
CpuClock: TypeAlias = Callable[[], int]
"""Nanoseconds of CPU time that this thread has used."""


class How(Enum):
    """What was done to the bytes of a set."""

    KEPT = auto()
    """Offsets and leader epochs were written into them, and nothing else."""
    STAMPED = auto()
    """Timestamps were written into them, too."""
    REBUILT = auto()
    """The records are in new units of the format in which they came."""
    CONVERTED = auto()
    """The records are in new units of another format."""


KEPT: Final = How.KEPT
STAMPED: Final = How.STAMPED
"""Names for the hot path: looking them up in the class takes three times as long."""


class AppendTarget(NamedTuple):
    """What a log wants its records to be: the topic's configuration, as far as it concerns an append."""

    magic: Magic
    """The message format."""
    leader_epoch: LeaderEpoch = 0
    codec: CodecId | None = None
    """`compression.type`; None: the producer's."""
    level: int | None = None
    """The level of `codec` (KIP-390); None: the default."""
    compacted: bool = False
    append_time: bool = False
    """Whether `message.timestamp.type` is LogAppendTime."""
    before_max_ms: DurationMs = NO_LIMIT
    """How far a timestamp may be in the past."""
    after_max_ms: DurationMs = NO_LIMIT
    """How far a timestamp may be in the future."""
    max_bytes: int = NO_LIMIT
    """`max.message.bytes`: of one unit."""
    zstd_allowed: bool = True
    """Whether the inter-broker protocol allows zstd."""
    plugged: PluggedCodecs | None = None
    """The codecs that Kafka does not have."""
    alias: str = ""
    """The one of these that the topic wants, where `codec` is `PLUGGED`."""
    name: str = ""
    """ "topic-partition", for messages."""


class Prepared(NamedTuple):
    """A set as it will be stored: offsets, leader epoch and timestamps are in its bytes."""

    data: Buffer
    """Empty if there was nothing to store."""
    first_offset: Offset
    last_offset: Offset
    max_timestamp: TimestampMs
    offset_of_max_timestamp: Offset
    """For the time index."""
    batches: Sequence[Batch]
    """Views of `data`."""
    how: How
    cpu_ns: int = 0
    """CPU time of rebuilding; 0 if the bytes stayed."""

    @property
    def stayed(self) -> bool:
        """Whether the bytes are those that came, in place."""
        return self.how is KEPT or self.how is STAMPED


class RecordError(NamedTuple):
    """What is wrong with one record (KIP-467)."""

    number: int
    """The index of the record in its unit, from 0."""
    error: ErrorCode
    text: str | None


class SetRefused(FakeKafkaError):
    """A set is not appended. `message` and `records` are what Produce 8+ reports besides the error."""

    def __init__(self, error: ErrorCode, message: str | None = None, records: Sequence[RecordError] = ()) -> None:
        super().__init__(message or error.name)
        self.error = error
        self.message = message
        self.records = records


def limits(target: AppendTarget, now: TimestampMs) -> tuple[TimestampMs, TimestampMs] | None:
    """The earliest and the latest timestamp that the target takes; None if any is taken, or if timestamps of clients do
    not count.
    """
    if target.append_time or target.before_max_ms == target.after_max_ms == NO_LIMIT:
        return None
    return now - target.before_max_ms, now + target.after_max_ms


def indexes_old_format(rules: AppendBehaviour, *, rebuilt: bool) -> bool:
    """Whether the time index gets the append time of a set of format 0. `rebuilt`: whether the set was."""
    match rules.old_format_append_time:
        case "indexed":
            return True
        case "indexed if rebuilt":
            return rebuilt
        case "no time":
            return False
        case rule:
            assert_never(rule)
