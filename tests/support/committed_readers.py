"""What readers of committed records, or of all records, see: clients leave out what the broker lists as aborted."""

from typing import TypeAlias, TypeVar

from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode
from fakekafka.ids import BrokerId, TopicPartition
from fakekafka.records import control, scan
from fakekafka.records.v2 import RecordBatch
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic
from fakekafka.wire.apis.list_offsets import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsResponse,
    ListOffsetsTopic,
)
from fakekafka.wire.message import Request, Response

from tests.support.brokers import answer, ask

R = TypeVar("R", bound=Response)
Peer: TypeAlias = FakeKafka | str
"""A cluster in this process, or the address of one."""
T0 = ("t", 0)


def _asked(kafka: Peer, request: Request, version: int, kind: type[R], node_id: BrokerId = 0) -> R:
    """The answer of a broker that is running, or only booted."""
    if isinstance(kafka, str):
        return ask(kafka, request, version, kind)
    if kafka.is_running:
        return ask(kafka.bootstrap_servers, request, version, kind)
    return answer(kafka, request, version, kind, node_id)


def fetched(kafka: Peer, place: TopicPartition = T0, *, committed: bool = True, node_id: BrokerId = 0) -> list[bytes]:
    """The values that a consumer passes to its application."""
    asked = FetchPartition(partition=place[1], fetch_offset=0, partition_max_bytes=1 << 20)
    sent = FetchRequest(
        replica_id=-1,
        max_wait_ms=0,
        min_bytes=0,
        max_bytes=1 << 20,
        isolation_level=int(committed),
        topics=[FetchTopic(topic=place[0], partitions=[asked])],
    )
    (topic,) = _asked(kafka, sent, 4, FetchResponse, node_id).responses
    (part,) = topic.partitions
    assert part.error_code == ErrorCode.NONE
    aborted = {(gone.producer_id, gone.first_offset) for gone in part.aborted_transactions or ()}
    return _given(part.records if isinstance(part.records, (bytes, bytearray, memoryview)) else b"", aborted)


def _given(records: bytes | bytearray | memoryview, aborted: set[tuple[int, int]]) -> list[bytes]:
    """Leave out aborted records as clients do: from their first offset to the producer's next marker."""
    found, inside = [], set()
    for batch in scan.batches(records):
        assert isinstance(batch, RecordBatch)
        inside |= {who for who, first in aborted if who == batch.producer_id and first <= batch.base_offset}
        if batch.is_control:
            if not _is_commit(batch):
                aborted = {(who, at) for who, at in aborted if who != batch.producer_id or at > batch.base_offset}
                inside.discard(batch.producer_id)
        elif batch.producer_id not in inside:
            found += [bytes(record.value or b"") for record in batch.records()]
    return found


def _is_commit(batch: RecordBatch) -> bool:
    (record,) = batch.records()
    marker = control.marker(record)
    assert marker is not None
    return marker.commit


def ends(kafka: Peer, place: TopicPartition = T0, *, committed: bool = True) -> int:
    """The last stable offset, or the high watermark."""
    asked = ListOffsetsPartition(partition_index=place[1], timestamp=-1)
    sent = ListOffsetsRequest(
        replica_id=-1,
        isolation_level=int(committed),
        topics=[ListOffsetsTopic(name=place[0], partitions=[asked])],
    )
    got = _asked(kafka, sent, 2, ListOffsetsResponse)
    return got.topics[0].partitions[0].offset
