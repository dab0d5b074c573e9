"""The requests that scenarios are made of, each in the newest version that identifies topics by name."""

from collections.abc import Iterable
from typing import Any, Final

from fakekafka.ids import BrokerId, Offset
from fakekafka.records import v2
from fakekafka.records.record import Record
from fakekafka.wire.apis.create_topics import (
    CreatableReplicaAssignment,
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from fakekafka.wire.apis.describe_topic_partitions import DescribeTopicPartitionsRequest, TopicRequest
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchTopic
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse
from fakekafka.wire.apis.offset_for_leader_epoch import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
)
from fakekafka.wire.apis.produce import PartitionProduceData, ProduceRequest, TopicProduceData

from tests.real_trios.recorder import Recorder

TOPIC: Final = "x"
PRODUCE, FETCH, METADATA, EPOCHS, CREATE = 11, 12, 12, 4, 6
"""The newest versions that are used: later ones name topics by id, or begin transactions by themselves."""
TIMEOUT_MS: Final = 10_000


def create(recorder: Recorder, replicas: list[list[BrokerId]], name: str = TOPIC, **configs: str) -> None:
    """Create a topic whose partitions have these replicas, and wait until all brokers know its leaders."""
    rows = [CreatableReplicaAssignment(partition_index=n, broker_ids=nodes) for n, nodes in enumerate(replicas)]
    wanted = [CreatableTopicConfig(name=key.replace("_", "."), value=value) for key, value in configs.items()]
    topic = CreatableTopic(name=name, num_partitions=-1, replication_factor=-1, assignments=rows, configs=wanted)
    request = CreateTopicsRequest(topics=[topic], timeout_ms=30_000)
    answer = recorder.ask(0, request, recorder.version(CreateTopicsRequest, CREATE))
    assert not answer.topics[0].error_code, answer
    for index, nodes in enumerate(replicas):
        led(recorder, nodes[0], nodes, index=index, name=name)


def led(
    recorder: Recorder, leader: BrokerId | None, isr: list[BrokerId] | None, *, index: int = 0, name: str = TOPIC
) -> None:
    """Wait until every running broker names this leader and this in-sync set, in any order (None: whatever it is)."""
    request = MetadataRequest(topics=[MetadataRequestTopic(name=name)], allow_auto_topic_creation=False)

    def told(answer: MetadataResponse) -> object:
        (topic,) = answer.topics
        rows = {row.partition_index: row for row in topic.partitions}
        if len(answer.brokers) != len(recorder.brokers.nodes) or index not in rows:
            return None
        found = rows[index]
        is_so = leader in (None, found.leader_id) and (isr is None or set(found.isr_nodes) == set(isr))
        return sorted(map(str, topic.partitions)) if is_so else None

    recorder.agreed(request, recorder.version(MetadataRequest, METADATA), told)
    described(recorder, name)


def described(recorder: Recorder, name: str) -> None:
    """What DescribeTopicPartitions says, if brokers have it, including eligible leaders (KIP-966)."""
    if recorder.has(DescribeTopicPartitionsRequest):
        recorder.ask(0, DescribeTopicPartitionsRequest(topics=[TopicRequest(name=name)]), 0)


def batch(recorder: Recorder, values: Iterable[bytes], **how: Any) -> bytes:
    """A batch of records."""
    return v2.build([Record(n, recorder.started_ms + n, 0, b"k", value) for n, value in enumerate(values)], **how)


def produced(
    records: bytes, acks: int, name: str = TOPIC, index: int = 0, within_ms: int = TIMEOUT_MS
) -> ProduceRequest:
    """A Produce of one batch."""
    data = PartitionProduceData(index=index, records=records)
    return ProduceRequest(
        acks=acks, timeout_ms=within_ms, topic_data=[TopicProduceData(name=name, partition_data=[data])]
    )


def produce(
    recorder: Recorder, node_id: BrokerId, *values: bytes, acks: int = -1, name: str = TOPIC, index: int = 0, **how: Any
) -> None:
    """Produce a batch; if it was accepted, wait until followers have it."""
    request = produced(batch(recorder, values, **how), acks, name, index)
    recorder.ask(node_id, request, recorder.version(ProduceRequest, PRODUCE))
    recorder.brokers.settle()


def fetch(
    recorder: Recorder,
    node_id: BrokerId,
    offset: Offset = 0,
    *,
    epoch: int = -1,
    last_epoch: int = -1,
    rack: str = "",
    committed: bool = False,
    name: str = TOPIC,
    index: int = 0,
) -> None:
    """Fetch from one partition at once. `epoch`: the epoch in which the reader believes itself to be (KIP-320);
    `last_epoch`: the epoch of the last record that it has (KIP-595).
    """
    part = FetchPartition(
        partition=index,
        fetch_offset=offset,
        partition_max_bytes=100_000,
        current_leader_epoch=epoch,
        last_fetched_epoch=last_epoch,
    )
    topics = [FetchTopic(topic=name, partitions=[part])]
    isolation = int(committed)
    request = FetchRequest(
        max_wait_ms=0, min_bytes=0, max_bytes=1 << 20, topics=topics, rack_id=rack, isolation_level=isolation
    )
    recorder.ask(node_id, request, recorder.version(FetchRequest, FETCH))


def epochs(
    recorder: Recorder, node_id: BrokerId, *asked: int, current: int = -1, name: str = TOPIC, index: int = 0
) -> None:
    """Ask a broker where leader epochs end."""
    for epoch in asked:
        part = OffsetForLeaderPartition(partition=index, leader_epoch=epoch, current_leader_epoch=current)
        topic = OffsetForLeaderTopic(topic=name, partitions=[part])
        request = OffsetForLeaderEpochRequest(topics=[topic], replica_id=-1)
        recorder.ask(node_id, request, recorder.version(OffsetForLeaderEpochRequest, EPOCHS))
