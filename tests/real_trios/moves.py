"""Leaders are elected and replicas moved on request."""

from fakekafka.ids import BrokerId
from fakekafka.wire.apis.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
    ReassignablePartition,
    ReassignableTopic,
)
from fakekafka.wire.apis.elect_leaders import ElectLeadersRequest, TopicPartitions
from fakekafka.wire.apis.list_partition_reassignments import (
    ListPartitionReassignmentsRequest,
    ListPartitionReassignmentsTopics,
)

from tests.real_trios.recorder import Recorder
from tests.real_trios.requests import TOPIC, create, epochs, led, produce


def preferred(recorder: Recorder) -> None:
    """Preferred leaders are elected where they can be (KIP-183), and any leader where none is left (KIP-460)."""
    create(recorder, [[1, 2, 0], [2, 0, 1], [0, 1, 2]])
    produce(recorder, 1, b"a")
    elect(recorder, 0, (0, 1, 2, 7))
    recorder.stop(1)
    led(recorder, 2, [2, 0])
    elect(recorder, 0, (0,))
    recorder.start(1)
    led(recorder, 2, [2, 0, 1])
    produce(recorder, 2, b"b")
    elect(recorder, 1, (0, 1))
    elect(recorder, 0, None)
    led(recorder, 1, [2, 0, 1])
    produce(recorder, 1, b"c")
    epochs(recorder, 1, 0, 1, 2, 3)
    recorder.kill(2)
    led(recorder, 0, [0, 1], index=1)
    recorder.start(2)
    led(recorder, 0, [0, 1, 2], index=1)
    led(recorder, 1, [0, 1, 2])
    elect(recorder, 0, (1,))
    led(recorder, 2, [0, 1, 2], index=1)
    recorder.keep("elected")


def elect(recorder: Recorder, kind: int, indexes: tuple[int, ...] | None, name: str = TOPIC) -> None:
    """Have leaders elected: preferred ones (`kind` 0), or any (1). None: of all partitions."""
    wanted = None if indexes is None else [TopicPartitions(topic=name, partitions=list(indexes))]
    request = ElectLeadersRequest(election_type=kind, topic_partitions=wanted, timeout_ms=10_000)
    recorder.ask(0, request, recorder.version(ElectLeadersRequest, 2))


def reassigned(recorder: Recorder) -> None:
    """Replicas move (KIP-455): at once, listed while a new one lags, and cancelled."""
    create(recorder, [[1, 0], [0, 1]])
    produce(recorder, 1, b"a")
    produce(recorder, 0, b"b", index=1)
    _list(recorder)
    _reassign(recorder, 0, [2, 1])
    _list_until_none(recorder)
    led(recorder, 1, [1, 2])
    _reassign(recorder, 0, [2, 0])
    _list_until_none(recorder)
    led(recorder, 2, [0, 2])
    produce(recorder, 2, b"c")
    recorder.keep("moved")
    _reassign(recorder, 0, None)
    _reassign(recorder, 5, [0])
    for replicas in ([], [0, 0], [0, 9], [-1]):
        _reassign(recorder, 1, replicas)
    recorder.pause(2)
    _reassign(recorder, 1, [1, 2])
    _list(recorder)
    _list(recorder, [0, 1])
    led(recorder, 0, [0, 1], index=1)
    _reassign(recorder, 1, [2])
    _list(recorder)
    _reassign(recorder, 1, None)
    _list(recorder)
    recorder.resume(2)
    led(recorder, 0, [0, 1], index=1)
    led(recorder, 2, [0, 2])
    _reassign(recorder, 1, [0, 1, 2])
    _list_until_none(recorder)
    led(recorder, 0, [0, 1, 2], index=1)
    epochs(recorder, 0, 0, 1, 2, 3, index=1)


def _reassign(recorder: Recorder, index: int, replicas: list[BrokerId] | None) -> None:
    part = ReassignablePartition(partition_index=index, replicas=replicas)
    topic = ReassignableTopic(name=TOPIC, partitions=[part])
    recorder.ask(0, AlterPartitionReassignmentsRequest(topics=[topic], timeout_ms=10_000), 0)


def _list(recorder: Recorder, indexes: list[int] | None = None) -> None:
    wanted = None
    if indexes is not None:
        wanted = [ListPartitionReassignmentsTopics(name=TOPIC, partition_indexes=indexes)]
    recorder.ask(0, ListPartitionReassignmentsRequest(topics=wanted, timeout_ms=10_000), 0)


def _list_until_none(recorder: Recorder) -> None:
    request = ListPartitionReassignmentsRequest(timeout_ms=10_000)
    recorder.poll(0, request, 0, lambda answer: not answer.topics)
