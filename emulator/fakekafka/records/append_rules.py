"""What is said about a set of records on its way into a log, and what comes of it. Values only.

`AppendRules` are the release's manners, `AppendTarget` is what the topic wants. A set becomes `Prepared` (`assign.py`
from 0.11 on, `message_sets.py` before), or `SetRefused` is raised.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from fakekafka.errors import ErrorCode, FakeKafkaError
from fakekafka.ids import Buffer, CodecId, DurationMs, LeaderEpoch, Magic, Offset, TimestampMs
from fakekafka.records.batch import Batch

NO_LIMIT: DurationMs = (1 << 63) - 1


class AppendRules(Protocol):
    """What a release does; `releases/behaviours/append.py` says what each field means."""

    sets_of: Literal["messages", "batches"]
    size_checked: Literal["after", "before and after", "before"]
    invalid_record: ErrorCode
    inner_crc: Literal["never", "in place", "always"]
    missing_timestamp_passes: bool
    snappy_block: Literal[32768, 1024]
    old_format_append_time: Literal["indexed", "indexed if made anew", "no time"]
    codec_bits: Literal[2, 3]
    keyless_messages: Literal["taken", "refused, empty keys too", "refused"]
    lz4_header: Literal["broken", "by format"]
    nested_wrapper: Literal["opened", "kept", "refused"]
    empty_wrapper: Literal["nothing to store", "error"]
    undecodable: ErrorCode
    cut_wrapper: Literal["error", "ends there"]
    conversion: Literal["none", "cut and paste", "rewritten"]
    inner_offsets: Literal["absolute", "from the last", "from the base"]
    mixed_wrapper: ErrorCode
    wrapper_time: Literal["kept", "largest inside"]
    stamped_crc: Literal["of the unit", "to the end"]
    several_batches: Literal["taken", "refused"]
    batch_counts: Literal["not zero", "consistent"]
    offset_gaps: Literal["rebuilt", "refused"]
    compressed_reader: Literal["whole", "skipping", "skipping, lengths ignored"]
    wrapper_offset: Literal["any", "checked"]
    producer_in_old_format: Literal["refused", "forgotten"]
    newest_codec: Literal[3, 4]
    zstd_needs_protocol: bool
    flagged_append_time: Literal["refused", "passes with a good time"]
    record_errors: Literal["none", "first without text", "all"]
    keyless_text: str
    rejection_text: Literal["short", "with the first errors"]
    plain_time_offset: Literal["record", "unit"]
    known_attributes: Literal[0x3F, 0x7F]


class AppendTarget(NamedTuple):
    """What a log wants its records to be: the topic's configuration, as far as it concerns an append."""

    magic: Magic
    """The message format."""
    leader_epoch: LeaderEpoch = 0
    codec: CodecId | None = None
    """`compression.type`; None: the producer's."""
    level: int | None = None
    """Of `codec` (KIP-390); None: the default."""
    compacted: bool = False
    append_time: bool = False
    """`message.timestamp.type` is LogAppendTime."""
    before_max_ms: DurationMs = NO_LIMIT
    """How far a timestamp may lie in the past …"""
    after_max_ms: DurationMs = NO_LIMIT
    """… and in the future."""
    max_bytes: int = NO_LIMIT
    """`max.message.bytes`: of one unit."""
    zstd_allowed: bool = True
    """By the inter-broker protocol."""
    name: str = ""
    """ "topic-partition", for messages."""


class Prepared(NamedTuple):
    """A set as it will be stored: offsets, leader epoch and timestamps are in its bytes."""

    data: Buffer
    """Nothing, if there was nothing to store."""
    first_offset: Offset
    last_offset: Offset
    max_timestamp: TimestampMs
    offset_of_max_timestamp: Offset
    """For the time index."""
    batches: Sequence[Batch]
    """Views of `data`."""


class RecordError(NamedTuple):
    """What is wrong with one record (KIP-467)."""

    number: int
    """Of the record in its unit, from 0."""
    error: ErrorCode
    text: str | None


class SetRefused(FakeKafkaError):
    """A set is not appended. `message` and `records` are what Produce 8+ tells besides the error."""

    def __init__(self, error: ErrorCode, message: str | None = None, records: Sequence[RecordError] = ()) -> None:
        super().__init__(message or error.name)
        self.error = error
        self.message = message
        self.records = records


def limits(target: AppendTarget, now: TimestampMs) -> tuple[TimestampMs, TimestampMs] | None:
    """The earliest and the latest timestamp that the target takes; None: any, or those of clients do not count."""
    if target.append_time or target.before_max_ms == target.after_max_ms == NO_LIMIT:
        return None
    return now - target.before_max_ms, now + target.after_max_ms
