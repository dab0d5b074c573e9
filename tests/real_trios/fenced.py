"""A broker is down, is unregistered, and comes back."""

from typing import Final

from fakekafka.ids import BrokerId
from fakekafka.wire.apis.create_topics import CreatableReplicaAssignment, CreatableTopic, CreateTopicsRequest
from fakekafka.wire.apis.describe_cluster import DescribeClusterRequest
from fakekafka.wire.apis.unregister_broker import UnregisterBrokerRequest

from tests.real_trios.recorder import Recorder
from tests.real_trios.requests import CREATE, TIMEOUT_MS, create, led, produce

AWAY: Final[BrokerId] = 2


def fenced(recorder: Recorder) -> None:
    """It stops cleanly, is killed, and is unregistered while it is down."""
    create(recorder, [[2, 0], [0, 2]])
    _described(recorder)
    for leave in (recorder.stop, recorder.kill):
        leave(AWAY)
        led(recorder, 0, [0])
        _described(recorder)
        recorder.start(AWAY)
        led(recorder, 0, [0, AWAY])
        led(recorder, 0, [0, AWAY], index=1)
    recorder.stop(AWAY)
    led(recorder, 0, [0])
    recorder.ask(0, UnregisterBrokerRequest(broker_id=AWAY), 0)
    recorder.brokers.settle()
    led(recorder, 0, [0])
    _described(recorder)
    recorder.ask(0, UnregisterBrokerRequest(broker_id=AWAY), 0)
    _make(recorder)
    recorder.start(AWAY)
    led(recorder, 0, [0, AWAY])
    _described(recorder)
    produce(recorder, 0, b"a")
    _make(recorder)


def _described(recorder: Recorder) -> None:
    for node_id in recorder.brokers.awake:
        for includes in (False, True):
            request = DescribeClusterRequest(include_fenced_brokers=includes)
            recorder.ask(node_id, request, recorder.version(DescribeClusterRequest, 2))


def _make(recorder: Recorder) -> None:
    row = CreatableReplicaAssignment(partition_index=0, broker_ids=[0, AWAY])
    topic = CreatableTopic(name="y", num_partitions=-1, replication_factor=-1, assignments=[row])
    placed = CreatableTopic(name="z", num_partitions=1, replication_factor=3)
    request = CreateTopicsRequest(topics=[topic, placed], timeout_ms=TIMEOUT_MS, validate_only=True)
    recorder.ask(0, request, recorder.version(CreateTopicsRequest, CREATE))
