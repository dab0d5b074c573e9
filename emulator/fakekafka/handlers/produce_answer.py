"""The answer to Produce, from what became of each partition. Not a handler: the second half of `produce`.

Real brokers gather results in maps, so the order of an answer is not that of the request.
"""

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple, TypeAlias

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Answers, Call, Outcome, Result
from fakekafka.ids import NO_OFFSET, Offset, PartitionIndex, TopicName, Uuid
from fakekafka.storage.partition import AppendResult, Partition
from fakekafka.wire.apis.produce import (
    BatchIndexAndErrorMessage,
    LeaderIdAndEpoch,
    NodeEndpoint,
    PartitionProduceResponse,
    ProduceRequest,
    ProduceResponse,
    TopicProduceResponse,
)

FIRST_WITH_RECORD_ERRORS: Final = 8
FIRST_WITH_LEADERS: Final = 10
FIRST_WITH_IDS: Final = 13

Place: TypeAlias = tuple[TopicName, Uuid, PartitionIndex]
"""A partition, as the request calls it: the name is "" from version 13 on, the id all zero before."""


class Answered(NamedTuple):
    """What is said of one partition. `partition` is None where nothing could be appended."""

    partition: Partition | None
    done: AppendResult
    log_start_offset: Offset = NO_OFFSET


def refused(error: ErrorCode, message: str | None = None) -> Answered:
    """A partition whose set did not come as far as the log."""
    return Answered(None, AppendResult(error, message=message))


def topic_name(place: Place, call: Call) -> TopicName:
    """The name of a topic that the request may call by its id; "" if the id is unknown."""
    name, topic_id, _ = place
    if call.version < FIRST_WITH_IDS:
        return name
    topic = call.broker.cluster.topics_by_id.get(topic_id)
    return "" if topic is None else topic.name


def answer(answers: Mapping[Place, Answered], request: ProduceRequest, call: Call) -> Result:
    """The answer; nothing, or a closed connection, if the request wants none."""
    failed = [place for place, answered in answers.items() if answered.done.error is not ErrorCode.NONE]
    if request.acks == 0:
        return Outcome.CLOSE if failed else None
    if failed:
        return _with_errors(answers, failed, request, call)
    return ProduceResponse(responses=_topics(answers, answers, call))


def _with_errors(
    answers: Mapping[Place, Answered], failed: Collection[Place], request: ProduceRequest, call: Call
) -> Result:
    rules = call.profile.produce
    if rules.record_errors_below_8 == "fail the answer" and call.version < FIRST_WITH_RECORD_ERRORS:
        answers = _lost_if_detailed(answers)
    response = ProduceResponse(responses=_topics(answers, _in_order(answers, failed, call), call))
    if call.version >= FIRST_WITH_LEADERS:
        response.node_endpoints = _endpoints(response, call)
    if any(data.records is None for topic in request.topic_data for data in topic.partition_data):
        return Answers([response, ProduceResponse(responses=[])], Outcome.CLOSE)
    return response


def _lost_if_detailed(answers: Mapping[Place, Answered]) -> Mapping[Place, Answered]:
    """KAFKA-9492: details about records have no room in an old answer, and making it fails."""
    if any(answered.done.records for answered in answers.values()):
        return dict.fromkeys(answers, refused(ErrorCode.UNKNOWN_SERVER_ERROR))
    return answers


def _in_order(answers: Mapping[Place, Answered], failed: Collection[Place], call: Call) -> list[Place]:
    places = list(answers)
    order = call.profile.produce.order
    if order == "errors last":
        places.sort(key=failed.__contains__)
    elif order == "errors last in a topic":
        topics = list(dict.fromkeys(place[:2] for place in places))
        places.sort(key=lambda place: (topics.index(place[:2]), place in failed))
    return places


def _topics(answers: Mapping[Place, Answered], places: Collection[Place], call: Call) -> list[TopicProduceResponse]:
    topics: dict[tuple[TopicName, Uuid], TopicProduceResponse] = {}
    for place in places:
        name, topic_id, index = place
        partition = _partition(index, answers[place])
        if partition.error_code == ErrorCode.NOT_LEADER_OR_FOLLOWER and call.version >= FIRST_WITH_LEADERS:
            partition.current_leader = _current_leader(place, call)
        if (topic := topics.get((name, topic_id))) is None:
            topic = TopicProduceResponse(name=name, topic_id=topic_id, partition_responses=[partition])
            topics[name, topic_id] = topic
        else:
            topic.partition_responses.append(partition)
    return list(topics.values())


def _partition(index: PartitionIndex, answered: Answered) -> PartitionProduceResponse:
    done = answered.done
    response = PartitionProduceResponse(
        index=index,
        error_code=done.error,
        base_offset=done.base_offset,
        log_append_time_ms=done.log_append_time_ms,
        log_start_offset=answered.log_start_offset,
    )
    if done.message is not None:
        response.error_message = done.message
        response.record_errors = [
            BatchIndexAndErrorMessage(batch_index=e.number, batch_index_error_message=e.text) for e in done.records
        ]
    return response


def _current_leader(place: Place, call: Call) -> LeaderIdAndEpoch:
    topic = call.broker.cluster.topics.get(topic_name(place, call))
    state = None if topic is None else topic.partition(place[2])
    if state is None:
        return LeaderIdAndEpoch()
    return LeaderIdAndEpoch(leader_id=state.leader, leader_epoch=state.leader_epoch)


def _endpoints(response: ProduceResponse, call: Call) -> list[NodeEndpoint]:
    """Where the leaders that the answer names can be reached."""
    partitions = (p for topic in response.responses for p in topic.partition_responses)
    leaders = {p.current_leader.leader_id for p in partitions if p.error_code == ErrorCode.NOT_LEADER_OR_FOLLOWER}
    brokers = call.broker.cluster.brokers
    found = [brokers[node_id] for node_id in sorted(leaders & brokers.keys())]
    return [NodeEndpoint(node_id=b.node_id, **call.endpoint_of(b), rack=b.rack) for b in found]
