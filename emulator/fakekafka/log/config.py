"""What the configuration of a topic says to its logs: one small value, replaced as a whole when the configuration
changes.

Names are Kafka's topic options with dots as underscores. Values are those in force: the broker floor has applied
defaults, `log.*` synonyms and limits (`segment_ms` of a compacted topic is at most its `max.compaction.lag.ms`, 2.3+).
"""

from typing import Literal, NamedTuple, TypeAlias

from fakekafka.ids import DurationMs, Magic
from fakekafka.records.batch import Dialect

NO_LIMIT = -1
DraftTimeIndex: TypeAlias = Literal["minutes of append time", "minutes of create time", "16-byte entries"]
"""KIP-33's rejected alternatives."""


class LogConfig(NamedTuple):
    """Options of one log. Sizes in bytes."""

    segment_bytes: int = 1_073_741_824
    segment_ms: DurationMs = 604_800_000
    segment_jitter_ms: DurationMs = 0
    segment_index_bytes: int = 10_485_760
    """Size of an index file; rounded down to a whole number of entries."""
    index_interval_bytes: int = 4096
    preallocate: bool = False
    flush_messages: int = 2**63 - 1
    flush_ms: DurationMs = 2**63 - 1
    """How long appended bytes may wait to be flushed. The owner checks regularly with `PartitionLog.flush_if_due`."""
    file_delete_delay_ms: DurationMs = 60_000
    delete: bool = True
    """Whether `cleanup.policy` contains "delete"."""
    compact: bool = False
    """Whether `cleanup.policy` contains "compact"."""
    min_cleanable_ratio: float = 0.5
    """`min.cleanable.dirty.ratio`: what share of a log must be dirty before it is cleaned."""
    min_compaction_lag_ms: DurationMs = 0
    max_compaction_lag_ms: DurationMs = 2**63 - 1
    delete_retention_ms: DurationMs = 86_400_000
    """How long tombstones stay."""
    max_message_bytes: int = 1_000_012
    retention_ms: DurationMs = 604_800_000
    """-1: no limit."""
    retention_bytes: int = NO_LIMIT
    message_format: Magic = 2
    """The format that new records are stored in."""
    producer_expiration_ms: DurationMs = 604_800_000
    """`transactional.id.expiration.ms` up to 3.3, `producer.id.expiration.ms` from 3.4 (KIP-854)."""
    compression_type: str = "producer"
    """A codec's name, "uncompressed" or "producer". The log itself does not use it: its readers and writers do."""
    dialect: Dialect | None = None
    """How a draft reads units of format 2; None: as they were shipped."""
    times_by: DraftTimeIndex | None = None
    """What stands in place of the time index in a draft; None: nothing does."""
    message_downconversion_enable: bool = True
    """Whether slices may be converted for old clients (KIP-283). Used by readers only."""
