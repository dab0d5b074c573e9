"""Topics are made, grown, moved and deleted while one of their brokers is down."""

from typing import Final

from fakekafka.ids import BrokerId, PartitionIndex, TopicName
from fakekafka.wire.apis.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
    ReassignablePartition,
    ReassignableTopic,
)
from fakekafka.wire.apis.create_partitions import (
    CreatePartitionsAssignment,
    CreatePartitionsRequest,
    CreatePartitionsTopic,
)
from fakekafka.wire.apis.create_topics import CreatableReplicaAssignment, CreatableTopic, CreateTopicsRequest
from fakekafka.wire.apis.delete_topics import DeleteTopicsRequest, DeleteTopicState
from fakekafka.wire.apis.describe_log_dirs import DescribeLogDirsRequest
from fakekafka.wire.apis.list_partition_reassignments import ListPartitionReassignmentsRequest
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic

from tests.real_trios.recorder import Recorder
from tests.real_trios.requests import CREATE, METADATA, TIMEOUT_MS, TOPIC, create, led, produce

GONE: Final = "gone"
AWAY: Final[BrokerId] = 2
SOON_MS: Final = 1_000
DELETE: Final = 5


def absent(recorder: Recorder) -> None:
    """Broker 2 is down when its replicas are asked for, moved away and deleted, and finds that when it comes back."""
    create(recorder, [[0, 2], [2, 1], [0, 1]])
    create(recorder, [[1, 2]], GONE)
    produce(recorder, 0, b"a")
    produce(recorder, 2, b"b", index=1)
    produce(recorder, 1, b"c", name=GONE)
    recorder.stop(AWAY)
    led(recorder, 0, [0])
    led(recorder, 1, [1], index=1)
    _make(recorder)
    _grow(recorder)
    _move(recorder)
    _delete(recorder)
    recorder.start(AWAY)
    if not recorder.has(AlterPartitionReassignmentsRequest):
        led(recorder, 0, [0, AWAY])
    led(recorder, 1, [1, AWAY], index=1)
    for name in ("m", "n"):
        led(recorder, 0, [0, AWAY], name=name)
    _known(recorder, TOPIC, "o")
    recorder.ask(AWAY, DescribeLogDirsRequest(topics=None), recorder.version(DescribeLogDirsRequest, 4))
    if recorder.has(AlterPartitionReassignmentsRequest):
        _reassign(recorder, 0, [0, 2])
        _list(recorder, until_none=True)
        led(recorder, 0, [0, 2])
    recorder.keep("back", [AWAY])


def _make(recorder: Recorder) -> None:
    for name, replicas in (("m", [AWAY, 0]), ("n", [0, AWAY]), ("o", [AWAY])):
        row = CreatableReplicaAssignment(partition_index=0, broker_ids=replicas)
        _ask_for(recorder, CreatableTopic(name=name, num_partitions=-1, replication_factor=-1, assignments=[row]))
    for factor in (3, 4):
        _ask_for(recorder, CreatableTopic(name="p", num_partitions=1, replication_factor=factor), validate_only=True)
    _known(recorder, "m", "n", "o")


def _ask_for(recorder: Recorder, topic: CreatableTopic, *, validate_only: bool = False) -> None:
    request = CreateTopicsRequest(topics=[topic], timeout_ms=SOON_MS, validate_only=validate_only)
    recorder.ask(0, request, recorder.version(CreateTopicsRequest, CREATE))


def _grow(recorder: Recorder) -> None:
    for replicas in ([AWAY, 1], [1, AWAY]):
        row = CreatePartitionsAssignment(broker_ids=replicas)
        topic = CreatePartitionsTopic(name=TOPIC, count=4 + (replicas[0] != AWAY), assignments=[row])
        request = CreatePartitionsRequest(topics=[topic], timeout_ms=SOON_MS)
        recorder.ask(0, request, recorder.version(CreatePartitionsRequest, 3))
    recorder.brokers.settle()
    _known(recorder, TOPIC)


def _move(recorder: Recorder) -> None:
    if not recorder.has(AlterPartitionReassignmentsRequest):
        return
    _reassign(recorder, 0, [0, 1])
    _list(recorder, until_none=True)
    led(recorder, 0, [0, 1])
    _reassign(recorder, 2, [0, AWAY])
    recorder.brokers.settle()
    _list(recorder)
    _known(recorder, TOPIC)


def _delete(recorder: Recorder) -> None:
    request = DeleteTopicsRequest(topic_names=[GONE], topics=[DeleteTopicState(name=GONE)], timeout_ms=SOON_MS)
    version = recorder.version(DeleteTopicsRequest, DELETE)
    recorder.ask(0, request, version)
    recorder.brokers.settle()
    _known(recorder, GONE)
    recorder.ask(0, request, version)
    more = CreatePartitionsTopic(name=GONE, count=2)
    growth = CreatePartitionsRequest(topics=[more], timeout_ms=SOON_MS)
    recorder.ask(0, growth, recorder.version(CreatePartitionsRequest, 3))
    row = CreatableReplicaAssignment(partition_index=0, broker_ids=[0])
    again = CreatableTopic(name=GONE, num_partitions=-1, replication_factor=-1, assignments=[row])
    _ask_for(recorder, again, validate_only=True)


def _known(recorder: Recorder, *names: TopicName) -> None:
    """What brokers know about topics, asked one by one."""
    for name in names:
        request = MetadataRequest(topics=[MetadataRequestTopic(name=name)], allow_auto_topic_creation=False)
        recorder.ask(1, request, recorder.version(MetadataRequest, METADATA))


def _reassign(recorder: Recorder, index: PartitionIndex, replicas: list[BrokerId]) -> None:
    part = ReassignablePartition(partition_index=index, replicas=replicas)
    topics = [ReassignableTopic(name=TOPIC, partitions=[part])]
    recorder.ask(0, AlterPartitionReassignmentsRequest(topics=topics, timeout_ms=TIMEOUT_MS), 0)


def _list(recorder: Recorder, *, until_none: bool = False) -> None:
    request = ListPartitionReassignmentsRequest(timeout_ms=TIMEOUT_MS)
    if until_none:
        recorder.poll(0, request, 0, lambda answer: not answer.topics)
    else:
        recorder.ask(0, request, 0)
