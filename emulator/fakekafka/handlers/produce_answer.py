"""The answer to Produce, from the outcome for each partition: the last step of `produce`.

Real brokers gather results in maps, so the order of an answer is not that of the request.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple, TypeAlias

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Answers, Call, Outcome, Result
from fakekafka.handlers.produce_versions import VERSIONS, ProduceVersion
from fakekafka.handlers.produced_sets import RequestedPartition
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


class PartitionResult(NamedTuple):
    """The outcome for one partition's set. `partition` is None if the set did not reach a log."""

    partition: Partition | None
    done: AppendResult
    log_start_offset: Offset = NO_OFFSET


Results: TypeAlias = Mapping[RequestedPartition, PartitionResult]


def refused(error: ErrorCode, message: str | None = None) -> PartitionResult:
    """The result for a set that did not reach a log."""
    return PartitionResult(None, AppendResult(error, message=message))


def answer(results: Results, request: ProduceRequest, call: Call) -> Result:
    """The answer. A request with acks 0 gets nothing, or a closed connection after an error."""
    failed = set()
    for requested, result in results.items():  # not a comprehension: before Python 3.12 that is one more function
        if result.done.error is not ErrorCode.NONE:
            failed.add(requested)
    if request.acks == 0:
        return Outcome.CLOSE if failed else None
    version = VERSIONS[call.version]
    if failed:
        return _with_errors(results, failed, request, call, version)
    return ProduceResponse(responses=_topics(results, results, call, version))


def _with_errors(
    results: Results,
    failed: Collection[RequestedPartition],
    request: ProduceRequest,
    call: Call,
    version: ProduceVersion,
) -> Result:
    rules = call.profile.produce
    if rules.record_errors_below_8 == "fail the answer" and not version.record_errors:
        results = _lost_if_detailed(results)
    response = ProduceResponse(responses=_topics(results, results, call, version))
    if version.leaders:
        response.node_endpoints = _endpoints(response, call)
    nulls = any(data.records is None for topic in request.topic_data for data in topic.partition_data)
    if nulls and rules.answers_null_twice:
        return Answers([response, ProduceResponse(responses=[])], Outcome.CLOSE)
    return response


def _lost_if_detailed(results: Results) -> Results:
    """KAFKA-9492: an old answer has no room for details about records, and building it fails."""
    if any(result.done.records for result in results.values()):
        return dict.fromkeys(results, refused(ErrorCode.UNKNOWN_SERVER_ERROR))
    return results


def _topics(
    results: Results,
    partitions: Collection[RequestedPartition],
    call: Call,
    version: ProduceVersion,
) -> list[TopicProduceResponse]:
    topics: dict[tuple[TopicName, Uuid], TopicProduceResponse] = {}
    for requested in partitions:
        name, topic_id, index = requested
        partition = _partition(index, results[requested])
        if partition.error_code == ErrorCode.NOT_LEADER_OR_FOLLOWER and version.leaders:
            partition.current_leader = _current_leader(requested, call, version)
        if (topic := topics.get((name, topic_id))) is None:
            topic = TopicProduceResponse(name=name, topic_id=topic_id, partition_responses=[partition])
            topics[name, topic_id] = topic
        else:
            topic.partition_responses.append(partition)
    return list(topics.values())


def _partition(index: PartitionIndex, result: PartitionResult) -> PartitionProduceResponse:
    done = result.done
    response = PartitionProduceResponse(
        index=index,
        error_code=done.error,
        base_offset=done.base_offset,
        log_append_time_ms=done.log_append_time_ms,
        log_start_offset=result.log_start_offset,
    )
    if done.message is not None:
        response.error_message = done.message
        response.record_errors = [
            BatchIndexAndErrorMessage(batch_index=e.number, batch_index_error_message=e.text) for e in done.records
        ]
    return response


def _current_leader(requested: RequestedPartition, call: Call, version: ProduceVersion) -> LeaderIdAndEpoch:
    name, topic_id, index = requested
    cluster = call.broker.cluster
    topic = cluster.topics_by_id.get(topic_id) if version.topic_ids else cluster.topics.get(name)
    state = None if topic is None else topic.partition(index)
    if state is None:
        return LeaderIdAndEpoch()
    known = cluster.as_known_to(call.broker.node_id, state)
    return LeaderIdAndEpoch(leader_id=known.leader, leader_epoch=known.leader_epoch)


def _endpoints(response: ProduceResponse, call: Call) -> list[NodeEndpoint]:
    """The endpoints of the leaders that the answer names."""
    partitions = (p for topic in response.responses for p in topic.partition_responses)
    leaders = {p.current_leader.leader_id for p in partitions if p.error_code == ErrorCode.NOT_LEADER_OR_FOLLOWER}
    brokers = call.broker.cluster.brokers_known_to(call.broker.node_id)
    leading = [brokers[node_id] for node_id in sorted(leaders & brokers.keys())]
    return [NodeEndpoint(node_id=b.node_id, **call.endpoint_of(b), rack=b.rack) for b in leading]
