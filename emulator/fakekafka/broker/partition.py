"""One partition on the broker that hosts it: its log, its leadership, its high watermark.

Invariant: log start offset <= last stable offset <= high watermark <= log end offset.
"""

from fakekafka.broker.topics import PartitionState, Topic
from fakekafka.ids import Buffer, LeaderEpoch, Offset, PartitionIndex, TimestampMs
from fakekafka.log.append_info import Appended, AppendInfo
from fakekafka.log.partition_log import PartitionLog
from fakekafka.records.scan import batches


class Partition:
    """A replica. While there is one replica only, the high watermark is the log's end."""

    __slots__ = ("log", "state", "topic")

    def __init__(self, topic: Topic, state: PartitionState, log: PartitionLog) -> None:
        self.topic = topic
        self.state = state
        self.log = log

    @property
    def index(self) -> PartitionIndex:
        return self.state.index

    @property
    def key(self) -> tuple[str, str, int]:
        """What waits for this partition's log to grow is woken by."""
        return ("log", self.topic.name, self.state.index)

    @property
    def leader_epoch(self) -> LeaderEpoch:
        return self.state.leader_epoch

    @property
    def log_start_offset(self) -> Offset:
        return self.log.log_start_offset

    @property
    def high_watermark(self) -> Offset:
        return self.log.log_end_offset

    @property
    def last_stable_offset(self) -> Offset:
        return self.log.last_stable_offset(self.high_watermark)

    def append(self, records: Buffer, now: TimestampMs) -> Appended:
        """Append batches of format 2 in place."""
        first = offset = self.log.log_end_offset
        found = []
        for batch in batches(records):
            batch.data[:8] = offset.to_bytes(8, "big")
            batch.data[12:16] = self.leader_epoch.to_bytes(4, "big")
            offset += batch.last_offset - batch.base_offset + 1
        found = list(batches(records))
        newest = max(found, key=lambda b: b.max_timestamp)
        info = AppendInfo(first, offset - 1, newest.max_timestamp, newest.last_offset, found)
        return self.log.append(records, info, now)
