"""ElectLeaders, key 43: have leaders elected (KIP-183, KIP-460).

Behaviour: each partition is handled separately; null asks for all, and is answered with those that had an election or
cannot have one. Nothing waits: leaders are elected at once. Under ZooKeeper the request is kept as a map (`as_map`).
Versions: 0 - 2.
v0: preferred leaders only. v1: the type of election; an error for the whole response.
"""

from collections.abc import Iterator
from typing import assert_never

from fakekafka.admin.elections import ElectionType, elect, election_type
from fakekafka.cluster.known_topics import known_partitions, known_topics
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.as_map import as_map
from fakekafka.handlers.call import Call, Outcome, Result, stepwise
from fakekafka.ids import PartitionIndex, TopicName
from fakekafka.pieces import Stepwise, groups_in_turn
from fakekafka.wire.apis.elect_leaders import (
    ElectLeadersRequest,
    ElectLeadersResponse,
    PartitionResult,
    ReplicaElectionResult,
)


@stepwise
def handle(request: ElectLeadersRequest, call: Call) -> Stepwise[Result]:
    """Elect the leaders that can be elected."""
    if not call.profile.topics.elections_by_request:
        return _unsupported(request)
    if not call.reaches_controller:
        return _not_controller(request, call)
    if call.profile.admin.by_controllers and request.topic_partitions is not None and not request.topic_partitions:
        return ElectLeadersResponse(replica_election_results=[])  # whatever its type (asked of 4.0.0 and 4.1.0)
    if call.is_too_late(request.timeout_ms):
        return _all_refused(request, ApiError(ErrorCode.REQUEST_TIMED_OUT), ErrorCode.REQUEST_TIMED_OUT)
    try:
        kind = election_type(call.broker, request.election_type)
    except ApiError as refused:
        if request.topic_partitions is None and call.profile.topics.refused_elections_of_all == "silent":
            return Outcome.HANG
        return _all_refused(request, refused, refused.code)
    if request.topic_partitions is None:
        return ElectLeadersResponse(replica_election_results=list(_every_partition(kind, call)))
    asked = [(topic.topic, list(topic.partitions)) for topic in request.topic_partitions]
    if not call.profile.admin.by_controllers:
        asked = as_map(asked, lambda index: index)
    elected = yield from groups_in_turn(lambda name, index: _elect(kind, name, index, call), asked)
    return ElectLeadersResponse(
        replica_election_results=[ReplicaElectionResult(topic=name, partition_result=rows) for name, rows in elected]
    )


def _unsupported(request: ElectLeadersRequest) -> ElectLeadersResponse | Outcome:
    """The broker's own refusal. It fails to answer a request that names no topics, and leaves the client waiting."""
    if request.topic_partitions is None:
        return Outcome.HANG
    words = "Not yet supported when using a Raft-based metadata quorum: ELECT_LEADERS"
    refused = ApiError(ErrorCode.UNSUPPORTED_VERSION, words)
    return _all_refused(request, refused, refused.code)


def _not_controller(request: ElectLeadersRequest, call: Call) -> ElectLeadersResponse:
    """The refusal of each partition, by name or, if all were asked for, that the broker knows
    (KafkaController.processReplicaLeaderElection). Recorded from clusters of three of 2.8.2 and 3.9.1: elsewhere.
    """
    refused = ApiError(ErrorCode.NOT_CONTROLLER)
    if request.topic_partitions is not None:
        return _all_refused(request, refused, ErrorCode.NONE)
    return ElectLeadersResponse(
        replica_election_results=[
            ReplicaElectionResult(
                topic=name, partition_result=[_result(s.index, refused) for s in known_partitions(call.broker, topic)]
            )
            for name, topic in known_topics(call.broker).items()
        ]
    )


def _all_refused(request: ElectLeadersRequest, refused: ApiError, whole: ErrorCode) -> ElectLeadersResponse:
    return ElectLeadersResponse(
        error_code=whole,
        replica_election_results=[
            ReplicaElectionResult(
                topic=topic.topic, partition_result=[_result(index, refused) for index in topic.partitions]
            )
            for topic in request.topic_partitions or ()
        ],
    )


def _every_partition(kind: ElectionType, call: Call) -> Iterator[ReplicaElectionResult]:
    how = call.profile.topics.election_for_all
    for topic in call.broker.cluster.topics.values():
        led = [state for state in topic.partitions if state.isr or state.last_known]  # the others never had a leader
        results = [_elect(kind, topic.name, state.index, call) for state in led]
        elected = [result for result in results if result.error_code != ErrorCode.ELECTION_NOT_NEEDED]
        match how:
            case "every partition":
                shown = results or None
            case "nothing":
                shown = elected or None
            case "empty topics":
                shown = elected
            case _:
                assert_never(how)
        if shown is not None:
            yield ReplicaElectionResult(topic=topic.name, partition_result=shown)


def _elect(kind: ElectionType, name: TopicName, index: PartitionIndex, call: Call) -> PartitionResult:
    try:
        elect(call.broker, kind, name, index)
    except ApiError as refused:
        return _result(index, refused)
    return _result(index, ApiError(ErrorCode.NONE))


def _result(index: PartitionIndex, refused: ApiError) -> PartitionResult:
    return PartitionResult(partition_id=index, error_code=refused.code, error_message=refused.message)
