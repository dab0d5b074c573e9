"""Produce, key 0: append record sets.

Versions: 0 - 13.

Behaviour
* A first look at each set: may the version carry it (`broker.produced_sets`)? Some releases close the connection.
* Partitions are independent: each set is appended or refused as a whole (`broker.partition`, `records.assign`).
* acks -1: the answer waits until all replicas in sync have the records, or until time is up.
* acks 0: there is no answer; an error closes the connection instead.

Version notes
* 0, 1: format 0; 2: format 1; a broker takes any format in them. 3 and later: one batch of format 2 (KIP-98).
* 2: log append time (KIP-32). 5: log start offset. 7: zstd (KIP-110). 8: which records are bad, and why (KIP-467).
* 10: who leads instead, beside error 6 (KIP-951). 11: error 120; 12: partitions join a transaction by it (KIP-890).
* 13: topic ids (KIP-516).

Not done: error 56 for directories that failed; quotas.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, TypeAlias

from fakekafka.broker.partition import ALL_IN_SYNC, AppendResult, Partition
from fakekafka.broker.produced_sets import Look, look
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Answers, Call, Outcome, Result, Wait
from fakekafka.ids import NO_OFFSET, Buffer, Offset, PartitionIndex, TopicName, Uuid
from fakekafka.wire.apis.produce import (
    BatchIndexAndErrorMessage,
    LeaderIdAndEpoch,
    NodeEndpoint,
    PartitionProduceResponse,
    ProduceRequest,
    ProduceResponse,
    TopicProduceResponse,
)

FIRST_WITH_IDS: Final = 13
FIRST_WITH_LEADERS: Final = 10
FIRST_WITH_RECORD_ERRORS: Final = 8
ADMIN_CLIENT: Final = "__admin_client"
VALID_ACKS: Final = (ALL_IN_SYNC, 0, 1)
WITHOUT_START: Final = frozenset(
    {
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.MESSAGE_TOO_LARGE,
        ErrorCode.RECORD_LIST_TOO_LARGE,
        ErrorCode.CORRUPT_MESSAGE,
    }
)
"""Errors of an append beside which every release tells -1 as the log start offset (ReplicaManager.appendToLocalLog)."""

Place: TypeAlias = tuple[TopicName, Uuid, PartitionIndex]


class Produced(NamedTuple):
    """One set of the request, and what the first look says of it."""

    records: Buffer | None
    look: Look


class Answered(NamedTuple):
    """What is said of one partition. `partition` is None where nothing could be appended."""

    partition: Partition | None
    done: AppendResult
    log_start_offset: Offset = NO_OFFSET


def handle(request: ProduceRequest, call: Call) -> Result:
    """Append to every partition."""
    rules = call.profile.produce
    sets = _first_look(request, call)
    if isinstance(sets, Outcome):
        return sets
    if rules.transactional_id_checked and request.transactional_id is None and any(_in_transaction(sets)):
        return _answer(dict.fromkeys(sets, _refused(ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED)), request, call)
    barred = _barred_by_coordinator(sets, request, call)
    answers = {place: _append(place, one, request, call, barred) for place, one in sets.items()}
    waiting = _unreplicated(answers, request, call)
    return _wait(waiting, answers, request) if waiting else _answer(answers, request, call)


# ---- before anything is appended


def _first_look(request: ProduceRequest, call: Call) -> dict[Place, Produced] | Outcome:
    """The sets by place. Of two for one partition the last counts: real brokers put them into a map."""
    rules, knows_zstd = call.profile.produce, call.profile.append.newest_codec >= 4
    found = {}
    for topic in request.topic_data:
        for data in topic.partition_data:
            records = data.records
            if records is None:
                if rules.null_records != "answered twice":
                    return _NULL_RECORDS[rules.null_records]
                found[topic.name, topic.topic_id, data.index] = Produced(None, Look())
                continue
            assert not isinstance(records, list)
            seen = look(records, call.version, rules, knows_zstd)
            if seen is None:
                return Outcome.CLOSE
            found[topic.name, topic.topic_id, data.index] = Produced(records, seen)
    return found


_NULL_RECORDS: Final = {"close": Outcome.CLOSE, "silent": Outcome.SILENCE, "hang": Outcome.HANG}


def _in_transaction(sets: Mapping[Place, Produced]) -> Iterable[Place]:
    return (place for place, one in sets.items() if one.look.transactional)


def _barred_by_coordinator(
    sets: Mapping[Place, Produced], request: ProduceRequest, call: Call
) -> Mapping[tuple[TopicName, PartitionIndex], ErrorCode]:
    """Partitions that are not in the producer's transaction, where a coordinator says so (KIP-890)."""
    gate = call.broker.transactions
    if gate is None or request.transactional_id is None:
        return {}
    places = [place for place in _in_transaction(sets) if not sets[place].look.error]
    if not places:
        return {}
    first = sets[places[0]].look
    asked = [(name, index) for name, _, index in places]
    return gate.verify(request.transactional_id, first.producer_id, first.producer_epoch, asked, call.version)


# ---- one partition


def _append(
    place: Place,
    one: Produced,
    request: ProduceRequest,
    call: Call,
    barred: Mapping[tuple[TopicName, PartitionIndex], ErrorCode],
) -> Answered:
    name, topic_id, index = place
    broker, rules = call.broker, call.profile.produce
    if call.version >= FIRST_WITH_IDS:
        topic = broker.cluster.topics_by_id.get(topic_id)
        if topic is None:
            return _refused(ErrorCode.UNKNOWN_TOPIC_ID)
        name = topic.name
    partition = broker.partition(name, index)
    if partition is None and _is_unknown(name, index, call):
        return _refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    if one.look.error is not ErrorCode.NONE:
        return _refused(one.look.error)
    if (name, index) in barred:
        return _refused(barred[name, index])
    if request.acks not in VALID_ACKS and rules.odd_acks is not None:
        return _refused(rules.odd_acks)
    if name in call.profile.metadata.internal_topics and _is_closed(call):
        return _refused(ErrorCode.INVALID_TOPIC_EXCEPTION)
    if partition is None:
        hosted = (name, index) in broker.partitions
        return _refused(ErrorCode.NOT_LEADER_OR_FOLLOWER if hosted else rules.not_hosted)
    if one.records is None:
        return Answered(None, AppendResult(ErrorCode.UNKNOWN_SERVER_ERROR), partition.log_start_offset)
    done = partition.append(one.records, call.now, request.acks)
    if done.error is ErrorCode.NONE:
        broker.waiters.wake(partition.key)
    return Answered(partition, done, partition.log_start_offset if _tells_log_start(done.error, call) else NO_OFFSET)


def _refused(error: ErrorCode) -> Answered:
    return Answered(None, AppendResult(error))


def _is_unknown(name: TopicName, index: PartitionIndex, call: Call) -> bool:
    topic = call.broker.cluster.topics.get(name)
    return topic is None or topic.partition(index) is None


def _is_closed(call: Call) -> bool:
    """Are internal topics closed to this client?"""
    who = call.profile.produce.closed_topics
    return who == "internal" or (who == "only by admin client" and call.client_id != ADMIN_CLIENT)


def _tells_log_start(error: ErrorCode, call: Call) -> bool:
    if error in WITHOUT_START:
        return False
    return error is not ErrorCode.INVALID_TIMESTAMP or call.profile.produce.refusal_log_start == "partition's"


# ---- waiting for replicas


def _unreplicated(answers: Mapping[Place, Answered], request: ProduceRequest, call: Call) -> dict[Place, Partition]:
    """Partitions whose records not enough replicas have yet."""
    acks = request.acks
    if acks in (0, 1):
        return {}
    written = {place: a.partition for place, a in answers.items() if a.partition and a.done.error is ErrorCode.NONE}
    single = all(len(partition.state.replicas) == 1 for partition in written.values())
    if single and not call.profile.produce.waits_for_single_replica:
        return {}
    return {
        place: partition for place, partition in written.items() if not partition.has_acks(answers[place].done, acks)
    }


def _wait(waiting: Mapping[Place, Partition], answers: dict[Place, Answered], request: ProduceRequest) -> Wait:
    def resume(call: Call, expired: bool) -> Result:
        left = _unreplicated(answers, request, call)
        if left and not expired:
            return _wait(left, answers, request)
        return _answer({p: _after_wait(a, p in left, request, call) for p, a in answers.items()}, request, call)

    return Wait(tuple(partition.key for partition in waiting.values()), max(0, request.timeout_ms), resume)


def _after_wait(answered: Answered, timed_out: bool, request: ProduceRequest, call: Call) -> Answered:
    done, partition = answered.done, answered.partition
    if partition is None or done.error is not ErrorCode.NONE:
        return answered
    if timed_out:
        done = done._replace(error=ErrorCode.REQUEST_TIMED_OUT)
    elif request.acks == ALL_IN_SYNC and partition.lacks_replicas:
        done = done._replace(error=ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND)
    if call.profile.produce.delayed_base_offset == "behind last":
        done = done._replace(base_offset=done.last_offset + 1)
    return answered._replace(done=done)


# ---- the answer


def _answer(answers: Mapping[Place, Answered], request: ProduceRequest, call: Call) -> Result:
    failed = {place for place, answered in answers.items() if answered.done.error is not ErrorCode.NONE}
    if request.acks == 0:
        return Outcome.CLOSE if failed else None
    rules = call.profile.produce
    if rules.record_errors_below_8 == "fail the answer" and call.version < FIRST_WITH_RECORD_ERRORS:
        answers = _lost_if_detailed(answers)
    response = ProduceResponse(responses=_by_topic(answers, failed, call))
    if call.version >= FIRST_WITH_LEADERS:
        response.node_endpoints = _endpoints(response, call)
    if any(data.records is None for topic in request.topic_data for data in topic.partition_data):
        return Answers([response, ProduceResponse(responses=[])], Outcome.CLOSE)
    return response


def _lost_if_detailed(answers: Mapping[Place, Answered]) -> Mapping[Place, Answered]:
    """KAFKA-9492: details about records have no room in an old answer, and making it fails."""
    if any(answered.done.records for answered in answers.values()):
        return dict.fromkeys(answers, _refused(ErrorCode.UNKNOWN_SERVER_ERROR))
    return answers


def _by_topic(answers: Mapping[Place, Answered], failed: set[Place], call: Call) -> list[TopicProduceResponse]:
    """The answers, topic by topic."""
    order = call.profile.produce.order
    places = list(answers)
    topics: dict[tuple[TopicName, Uuid], TopicProduceResponse] = {}
    if failed and order != "by topic":
        if order == "errors last in a topic":
            topics = {place[:2]: _topic(place) for place in places}
        places.sort(key=failed.__contains__)
    for place in places:
        topic = topics.setdefault(place[:2], _topic(place))
        topic.partition_responses.append(_partition_response(place, answers[place], call))
    return list(topics.values())


def _topic(place: Place) -> TopicProduceResponse:
    return TopicProduceResponse(name=place[0], topic_id=place[1], partition_responses=[])


def _partition_response(place: Place, answered: Answered, call: Call) -> PartitionProduceResponse:
    done = answered.done
    response = PartitionProduceResponse(
        index=place[2],
        error_code=done.error,
        base_offset=done.base_offset,
        log_append_time_ms=done.log_append_time_ms,
        log_start_offset=answered.log_start_offset,
        record_errors=[
            BatchIndexAndErrorMessage(batch_index=e.number, batch_index_error_message=e.text) for e in done.records
        ],
        error_message=done.message,
    )
    if done.error is ErrorCode.NOT_LEADER_OR_FOLLOWER and call.version >= FIRST_WITH_LEADERS:
        response.current_leader = _current_leader(place, call)
    return response


def _current_leader(place: Place, call: Call) -> LeaderIdAndEpoch:
    name, topic_id, index = place
    cluster = call.broker.cluster
    topic = cluster.topics_by_id.get(topic_id) if call.version >= FIRST_WITH_IDS else cluster.topics.get(name)
    state = topic.partition(index) if topic is not None else None
    if state is None:
        return LeaderIdAndEpoch()
    return LeaderIdAndEpoch(leader_id=state.leader, leader_epoch=state.leader_epoch)


def _endpoints(response: ProduceResponse, call: Call) -> list[NodeEndpoint]:
    """Where the leaders that the answer names can be reached."""
    partitions = (p for topic in response.responses for p in topic.partition_responses)
    leaders = {p.current_leader.leader_id for p in partitions if p.error_code == ErrorCode.NOT_LEADER_OR_FOLLOWER}
    brokers = call.broker.cluster.brokers
    return [
        NodeEndpoint(
            node_id=node_id, host=brokers[node_id].host, port=brokers[node_id].port, rack=brokers[node_id].rack
        )
        for node_id in sorted(leaders & brokers.keys())
    ]
