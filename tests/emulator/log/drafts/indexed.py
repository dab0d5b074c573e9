"""Clusters with one of KIP-33's rejected indexes, records sent to them, and searches in them."""

from collections.abc import Sequence
from pathlib import Path

from fakekafka import FakeKafka, ManualClock
from fakekafka.log.drafts.minute_index import minute_of
from fakekafka.records import v2
from fakekafka.records.record import Record
from fakekafka.wire.apis.list_offsets import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsResponse,
    ListOffsetsTopic,
)

from tests.support.brokers import answer
from tests.support.producing import one
from tests.support.seeded import partition_of

FIRST_MINUTE = minute_of(1_600_000_000_000)
OPTION_1, OPTION_2, WIDE = "KIP-33-option-1", "KIP-33-option-2", "KIP-33-16-byte-entries"
DRAFTS = (OPTION_1, OPTION_2, WIDE)
BY_CREATE_TIME = (OPTION_2, WIDE)


def cluster(draft: str, log_dir: Path | None = None, **topic: str) -> FakeKafka:
    kafka = FakeKafka("2.3", drafts=[draft], clock=ManualClock(FIRST_MINUTE), log_dir=log_dir).boot()
    by = {"message.timestamp.type": "LogAppendTime"} if draft == OPTION_1 else {}
    given = {name.replace("_", "."): value for name, value in topic.items()}
    kafka.create_topic("t", config={"index.interval.bytes": "0", **by, **given})
    return kafka


def sent(kafka: FakeKafka, timestamps: Sequence[int]) -> None:
    """One set of records with these timestamps; if the broker sets them, the clock is at the largest."""
    assert isinstance(kafka.clock, ManualClock)
    kafka.clock.advance(max(0, max(timestamps) - kafka.clock.now_ms))
    rows = [Record(n, time, 0, b"k", b"v" * 40) for n, time in enumerate(timestamps)]
    assert one(kafka, bytearray(v2.build(rows)), 3).error_code == 0


def found(kafka: FakeKafka, timestamp: int) -> tuple[int, int]:
    wanted = ListOffsetsPartition(partition_index=0, timestamp=timestamp)
    asked = ListOffsetsRequest(replica_id=-1, topics=[ListOffsetsTopic(name="t", partitions=[wanted])])
    part = answer(kafka, asked, 2, ListOffsetsResponse).topics[0].partitions[0]
    return part.offset, part.timestamp


def expected(kafka: FakeKafka, timestamp: int) -> tuple[int, int]:
    """The result by brute force: the first record of the first segment that reaches this far."""
    records = {record.offset: record.timestamp for record in kafka.records("t")}
    for segment in partition_of(kafka).log.segments:
        held = [offset for batch in segment.batches() for offset in range(batch.base_offset, batch.last_offset + 1)]
        young = [offset for offset in held if records[offset] >= timestamp]
        if young:
            return young[0], records[young[0]]
    return -1, -1
