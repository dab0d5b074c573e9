"""What only the controller decides is asked of another broker."""

from collections.abc import Iterator
from typing import Final

from fakekafka.wire.apis.allocate_producer_ids import AllocateProducerIdsRequest
from fakekafka.wire.apis.alter_partition import AlterPartitionRequest
from fakekafka.wire.apis.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
    ReassignablePartition,
    ReassignableTopic,
)
from fakekafka.wire.apis.alter_user_scram_credentials import AlterUserScramCredentialsRequest, ScramCredentialDeletion
from fakekafka.wire.apis.controlled_shutdown import ControlledShutdownRequest
from fakekafka.wire.apis.create_partitions import CreatePartitionsRequest, CreatePartitionsTopic
from fakekafka.wire.apis.create_topics import CreatableTopic, CreateTopicsRequest
from fakekafka.wire.apis.delete_topics import DeleteTopicsRequest, DeleteTopicState
from fakekafka.wire.apis.elect_leaders import ElectLeadersRequest, TopicPartitions
from fakekafka.wire.apis.list_partition_reassignments import ListPartitionReassignmentsRequest
from fakekafka.wire.apis.update_features import FeatureUpdateKey, UpdateFeaturesRequest
from fakekafka.wire.message import Request

from tests.real_trios.recorder import Recorder
from tests.real_trios.requests import TIMEOUT_MS, TOPIC, create

OTHER: Final = 1
"""A broker that is not the controller."""
STRANGER: Final = 7
"""A broker that does not exist."""


def elsewhere(recorder: Recorder) -> None:
    """Each request in each of its versions, but for those by topic id."""
    create(recorder, [[1, 2], [2, 0]])
    for request in _requests():
        if recorder.has(request):
            for version in range(recorder.oldest[request.KEY], recorder.newest[request.KEY] + 1):
                recorder.ask(OTHER, request, version)


def _requests() -> Iterator[Request]:
    new = CreatableTopic(name="y", num_partitions=1, replication_factor=1)
    yield CreateTopicsRequest(topics=[new], timeout_ms=TIMEOUT_MS)
    more = CreatePartitionsTopic(name=TOPIC, count=3)
    yield CreatePartitionsRequest(topics=[more], timeout_ms=TIMEOUT_MS)
    gone = DeleteTopicState(name=TOPIC)
    yield DeleteTopicsRequest(topic_names=[TOPIC], topics=[gone], timeout_ms=TIMEOUT_MS)
    led = TopicPartitions(topic=TOPIC, partitions=[0, 5])
    for topics in ([led], None):
        yield ElectLeadersRequest(topic_partitions=topics, timeout_ms=TIMEOUT_MS)
    moved = ReassignableTopic(name=TOPIC, partitions=[ReassignablePartition(partition_index=0, replicas=[0])])
    yield AlterPartitionReassignmentsRequest(topics=[moved], timeout_ms=TIMEOUT_MS)
    yield ListPartitionReassignmentsRequest(timeout_ms=TIMEOUT_MS)
    yield AlterUserScramCredentialsRequest(deletions=[ScramCredentialDeletion(name="alice", mechanism=1)])
    raised = FeatureUpdateKey(feature="strange", max_version_level=1)
    yield UpdateFeaturesRequest(feature_updates=[raised], timeout_ms=TIMEOUT_MS)
    yield ControlledShutdownRequest(broker_id=STRANGER)
    yield AllocateProducerIdsRequest(broker_id=STRANGER)
    yield AlterPartitionRequest(broker_id=STRANGER)
