"""One partition on the broker that hosts it: its log, its leadership, its high watermark, and appending to it.

Invariant: log start offset <= last stable offset <= high watermark <= log end offset.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from fakekafka.errors import ErrorCode
from fakekafka.ids import (
    NO_OFFSET,
    NO_TIMESTAMP,
    BrokerId,
    Buffer,
    LeaderEpoch,
    Offset,
    PartitionIndex,
    ProducerEpoch,
    ProducerId,
    TimestampMs,
)
from fakekafka.log.append_info import Appended, AppendInfo, Origin
from fakekafka.log.partition_log import PartitionLog
from fakekafka.records.append import preparing
from fakekafka.records.append.prepared import AppendTarget, CpuClock, RecordError, SetRefused
from fakekafka.releases.behaviours.append import AppendBehaviour
from fakekafka.state.topics import PartitionState, Topic
from fakekafka.storage.conversion_bill import Work, work_of_append

ALL_IN_SYNC: Final = -1
"""acks: wait for every replica in sync."""

HELD: Final = 1 << 31
"""More replicas than any partition has."""


class AppendResult(NamedTuple):
    """The outcome of an append. Offsets are -1 after an error, and for a set without a whole record in it."""

    error: ErrorCode = ErrorCode.NONE
    base_offset: Offset = NO_OFFSET
    last_offset: Offset = NO_OFFSET
    log_append_time_ms: TimestampMs = NO_TIMESTAMP
    """-1 unless the topic has LogAppendTime; for a batch that was already there, its largest timestamp."""
    message: str | None = None
    records: Sequence[RecordError] = ()
    """What is wrong with single records (KIP-467)."""
    batches: int = 0
    """The units that were appended: none for a set that was already there."""
    work: Work | None = None
    """The work of preparing the set; None if its bytes stayed as they came."""


NOTHING_APPENDED: Final = AppendResult()


class Partition:
    """A replica, on broker `node_id`. `high_watermark`: as far as it was known when the broker stopped.

    A leader that is alone in sync has its high watermark at the log's end, unless other replicas must be in sync, too.
    """

    __slots__ = (
        "_ends",
        "_high_watermark",
        "_holds_below",
        "_least",
        "_prepare",
        "_rules",
        "key",
        "log",
        "min_in_sync",
        "node_id",
        "state",
        "target",
        "topic",
    )

    def __init__(
        self,
        topic: Topic,
        state: PartitionState,
        log: PartitionLog,
        rules: AppendBehaviour,
        node_id: BrokerId,
        high_watermark: Offset = 0,
    ) -> None:
        self.topic = topic
        self.state = state
        self.log = log
        self.node_id = node_id
        self.min_in_sync = 1
        """`min.insync.replicas` in force."""
        self.key = self.key_at(node_id)
        """The key that wakes those waiting for this replica's log to grow."""
        self._rules = rules
        self._prepare = preparing(rules.era)
        self.target = AppendTarget(magic=log.config.message_format)
        """What is wanted of the sets that are appended."""
        self._ends: dict[BrokerId, Offset] = {}  # log end offsets of followers, as far as this leader knows
        self._high_watermark = min(high_watermark, log.log_end_offset)  # not kept up by a leader that is alone in sync
        self._least = 0  # with fewer replicas in sync, the high watermark stands still
        self._holds_below = 0  # that number, or HELD

    def configure(self, target: AppendTarget, min_in_sync: int, *, holds: bool = False) -> None:
        """Take the configuration in force. `holds`: while the leader lacks replicas in sync, its high watermark stands
        still (KAFKA-15583).
        """
        if holds and 0 < self._least < min_in_sync:
            self.before_change()
        self.target = target
        self.min_in_sync = min_in_sync
        self._holds_below = self._least = min_in_sync if holds else 0

    @property
    def index(self) -> PartitionIndex:
        return self.state.index

    def key_at(self, node_id: BrokerId) -> tuple[str, str, int, int]:
        """The key of the same partition on another broker."""
        return ("log", self.topic.name, self.state.index, node_id)

    @property
    def leader_epoch(self) -> LeaderEpoch:
        return self.state.leader_epoch

    @property
    def leads(self) -> bool:
        """Whether this replica is the leader."""
        return self.state.leader == self.node_id

    # ---- offsets

    @property
    def log_start_offset(self) -> Offset:
        return self.log.log_start_offset

    @property
    def high_watermark(self) -> Offset:
        """The offset up to which every replica in sync has the log, as far as this one knows."""
        state = self.state
        alone = len(state.isr) < 2 and state.leader == self.node_id and self._holds_below < 2
        return self.log.log_end_offset if alone else self._high_watermark

    @property
    def last_stable_offset(self) -> Offset:
        return self.log.last_stable_offset(self.high_watermark)

    @property
    def lacks_replicas(self) -> bool:
        """Whether fewer replicas are in sync than an append with acks -1 needs."""
        return len(self.state.isr) < self.min_in_sync

    def has_acks(self, done: AppendResult, acks: int) -> bool:
        """Whether enough replicas have what was appended. Numbers above 1 count replicas in sync (up to 0.8.2)."""
        wanted = done.last_offset + 1
        if acks < 0:
            return self.high_watermark >= wanted
        ends = (self._ends.get(n, 0) for n in self.state.isr if n != self.node_id)
        return 1 + sum(end >= wanted for end in ends) >= acks

    def log_end_offset_of(self, node_id: BrokerId) -> Offset:
        """Where a follower's log ends, as far as this leader knows."""
        return self._ends.get(node_id, 0)

    def note_follower(self, node_id: BrokerId, log_end_offset: Offset) -> bool:
        """A follower's log ends at `log_end_offset`. True if the high watermark has moved, so that waiters must be
        woken.
        """
        if self._ends.get(node_id) != log_end_offset:
            self._holds_below = self._least
        self._ends[node_id] = log_end_offset
        return self.advance_high_watermark()

    def advance_high_watermark(self) -> bool:
        """Move the leader's high watermark as far as the followers in sync allow. True if it has moved."""
        state, before = self.state, self._high_watermark
        if state.leader == self.node_id and len(state.isr) >= self._holds_below:
            ends = [self._ends.get(node, 0) for node in state.isr if node != self.node_id]
            self._high_watermark = max(before, min([self.log.log_end_offset, *ends]))
        self.log.on_high_watermark(self.high_watermark)
        return self._high_watermark > before

    def hold_high_watermark(self) -> None:
        """Have the high watermark stand still until the next append, or until a follower has more."""
        self.before_change()
        self._holds_below = HELD

    def follow_high_watermark(self, high_watermark: Offset) -> bool:
        """Take over the leader's high watermark. True if this follower's has moved."""
        before = self._high_watermark
        self._high_watermark = min(high_watermark, self.log.log_end_offset)
        self.log.on_high_watermark(self._high_watermark)
        return self._high_watermark > before

    def before_change(self) -> None:
        """Leadership, the set in sync or how many it must have is about to change: keep the high watermark of a leader
        that was alone in sync.
        """
        self._high_watermark = min(self.high_watermark, self.log.log_end_offset)

    def on_new_leader(self) -> None:
        """Another broker leads from now on: forget what followers told the previous leader."""
        self._ends.clear()

    def in_transaction(self, producer_id: ProducerId, epoch: ProducerEpoch | None = None) -> bool:
        """Whether the producer has an open transaction here. `epoch`: if given, only one of this epoch counts."""
        known = self.log.producers.producers.get(producer_id)
        if known is None or known.transaction_first_offset == NO_OFFSET:
            return False
        return epoch is None or known.epoch == epoch

    # ---- appending

    def append(self, records: Buffer, now: TimestampMs, acks: int = 1, cpu_ns: CpuClock = int) -> AppendResult:
        """Append a set that a client sent. Its buffer may be written into, and is kept. `cpu_ns` measures
        conversions.
        """
        if acks == ALL_IN_SYNC and self.lacks_replicas:
            return AppendResult(ErrorCode.NOT_ENOUGH_REPLICAS)
        return self.append_from(Origin.CLIENT, records, now, cpu_ns)

    def append_from(self, origin: Origin, records: Buffer, now: TimestampMs, cpu_ns: CpuClock = int) -> AppendResult:
        """Append a set that came from a client, or that a coordinator wrote: committed offsets, transaction markers."""
        log, target = self.log, self.target
        if target.leader_epoch != self.state.leader_epoch:
            self.target = target = target._replace(leader_epoch=self.state.leader_epoch)
        try:
            made = self._prepare(records, target, self._rules, log.log_end_offset, now, origin is Origin.CLIENT, cpu_ns)
        except SetRefused as refused:
            return AppendResult(refused.error, message=refused.message, records=refused.records)
        if made is None:
            return NOTHING_APPENDED
        data, first, last, max_timestamp, at, batches, _, _ = made
        if batches:
            done = log.append(data, AppendInfo(first, last, max_timestamp, at, batches, origin), now)
        else:
            done = Appended(ErrorCode.NONE, first, last)
        if done.error is not ErrorCode.NONE:
            return AppendResult(done.error)
        if self._holds_below == HELD:
            self._holds_below = self._least
            self.advance_high_watermark()
        if origin is not Origin.CLIENT:  # otherwise nothing can become stable by this
            self.advance_high_watermark()
        time, count, work = now if target.append_time else NO_TIMESTAMP, len(batches), None
        if done.is_duplicate:
            time, count = done.duplicate_timestamp, 0
        if batches and not made.stayed:
            work = work_of_append(records, made, target.magic)
        return AppendResult(ErrorCode.NONE, done.first_offset, done.last_offset, time, None, (), count, work)
