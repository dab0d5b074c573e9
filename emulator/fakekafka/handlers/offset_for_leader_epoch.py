"""OffsetForLeaderEpoch, key 23: where a leader's epoch ends in the log.

Versions: 0 - 4.

Behaviour
* The end of an epoch is where the next one begins, and for the newest one the log's end (`log.leader_epochs`).
* An unknown epoch: -1, error 0.

Version notes
* 1: which epoch ends there (KIP-279). 2: the leader epoch that the client believes in (KIP-320).
* 3: the id of the replica that asks. A follower gets the same answer as a consumer.

Not done: nothing.
"""

from fakekafka.cluster.reading import locate
from fakekafka.errors import ErrorCode
from fakekafka.handlers.as_map import as_map
from fakekafka.handlers.call import Call, Result, stepwise
from fakekafka.ids import TopicName
from fakekafka.pieces import Stepwise, groups_in_turn
from fakekafka.wire.apis.offset_for_leader_epoch import (
    EpochEndOffset,
    OffsetForLeaderEpochRequest,
    OffsetForLeaderEpochResponse,
    OffsetForLeaderPartition,
    OffsetForLeaderTopicResult,
)


@stepwise
def handle(request: OffsetForLeaderEpochRequest, call: Call) -> Stepwise[Result]:
    """Answer the ends of all requested epochs."""
    asked = [(topic.topic, list(topic.partitions)) for topic in request.topics]
    if call.profile.fetch.epochs_kept == "as a map":
        asked = as_map(asked, lambda one: one.partition)
    ends = yield from groups_in_turn(lambda name, one: _end(name, one, call), asked)
    return OffsetForLeaderEpochResponse(
        topics=[OffsetForLeaderTopicResult(topic=name, partitions=partitions) for name, partitions in ends]
    )


def _end(topic: TopicName, asked: OffsetForLeaderPartition, call: Call) -> EpochEndOffset:
    partition = locate(call.broker, topic, asked.partition, asked.current_leader_epoch)
    if isinstance(partition, ErrorCode):
        elsewhere = partition not in (ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.KAFKA_STORAGE_ERROR)
        if elsewhere and (topic, asked.partition) not in call.broker.partitions:
            partition = call.profile.fetch.epoch_not_hosted
        return EpochEndOffset(partition=asked.partition, error_code=partition)
    ended = partition.log.end_of_epoch(asked.leader_epoch)
    return EpochEndOffset(partition=asked.partition, leader_epoch=ended.epoch, end_offset=ended.end_offset)
