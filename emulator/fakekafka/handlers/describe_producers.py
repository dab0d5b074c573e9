"""DescribeProducers, key 61: the producers that a replica of a partition remembers.

Versions: 0.

Behaviour
* Idempotent and transactional producers of each partition, with the transaction that they have open (KIP-664).
  Followers answer, too (Partition.activeProducerState).

Version notes: none.

Not done: nothing.
"""

from typing import Final, assert_never

from fakekafka.cluster.reading import locate
from fakekafka.cluster.topic_creation.topic_names import check_topic_name
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call, Result, stepwise
from fakekafka.ids import NO_EPOCH, PartitionIndex, ProducerId, TopicName
from fakekafka.jvm.hashes import long_hash
from fakekafka.jvm.maps import MapKind, in_order
from fakekafka.log.producer import Producer
from fakekafka.pieces import Stepwise, in_turn
from fakekafka.storage.partition import Partition
from fakekafka.wire.apis.describe_producers import (
    DescribeProducersRequest,
    DescribeProducersResponse,
    PartitionResponse,
    ProducerState,
    TopicResponse,
)

NO_TOPIC: Final = "This server does not host this topic-partition."
"""The message for a missing topic, not for a missing partition (KafkaApis.handleDescribeProducersRequest)."""


@stepwise
def handle(request: DescribeProducersRequest, call: Call) -> Stepwise[Result]:
    """Describe the producers of all requested partitions."""
    places = dict.fromkeys((topic.name, index) for topic in request.topics for index in topic.partition_indexes)
    rows = dict(zip(places, (yield from in_turn(lambda place: _producers(*place, call), places))))
    topics = [
        TopicResponse(name=topic.name, partitions=[rows[topic.name, index] for index in topic.partition_indexes])
        for topic in request.topics
    ]
    return DescribeProducersResponse(topics=topics)


def _producers(topic: TopicName, index: PartitionIndex, call: Call) -> PartitionResponse:
    if call.profile.transactions.described_names_checked:
        try:
            check_topic_name(call.profile, topic)
        except ApiError as refused:
            return PartitionResponse(
                partition_index=index, error_code=refused.code, error_message=refused.message, active_producers=[]
            )
    hosted = call.broker.partitions.get((topic, index))
    partition = locate(call.broker, topic, index, NO_EPOCH) if hosted is None else hosted
    if isinstance(partition, ErrorCode):
        is_shown = topic not in call.broker.cluster.topics and call.profile.transactions.missing_topic_explained
        words = NO_TOPIC if is_shown else None
        return PartitionResponse(partition_index=index, error_code=partition, error_message=words, active_producers=[])
    return PartitionResponse(
        partition_index=index,
        active_producers=[
            ProducerState(
                producer_id=producer_id,
                producer_epoch=producer.epoch,
                last_sequence=producer.last_sequence,
                last_timestamp=producer.last_timestamp,
                coordinator_epoch=producer.coordinator_epoch,
                current_txn_start_offset=producer.transaction_first_offset,
            )
            for producer_id, producer in _in_order(partition, call)
        ],
    )


def _in_order(partition: Partition, call: Call) -> list[tuple[ProducerId, Producer]]:
    """The producers as the broker lists them: brokers of Scala 2.13 copy their map into an immutable one."""
    producers = partition.log.producers.in_order()
    match call.profile.log.producer_map:
        case MapKind.JAVA:
            return producers
        case MapKind.SCALA_2_12_MUTABLE | MapKind.SCALA_2_13_MUTABLE:
            return in_order([(long_hash(entry[0]), entry) for entry in producers], MapKind.SCALA_2_13_MAP)
        case kind:
            assert_never(kind)
