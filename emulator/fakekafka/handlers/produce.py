"""Produce, key 0: append record sets.

Versions: 0 - 13.

Behaviour
* A first look at each set: may the version carry it (`cluster.produced_sets`)? Some releases close the connection.
* Partitions are independent: each set is appended or refused as a whole (`storage.partition`, `records.append`).
* acks -1: the answer waits until all replicas in sync have the records, or until time is up.
* acks 0: there is no answer; an error closes the connection instead.

Version notes
* 0, 1: format 0; 2: format 1; a broker takes any format in them. 3 and later: one batch of format 2 (KIP-98).
* 2: log append time (KIP-32). 4: error 56 for a disk that fails, below it is error 6 (KIP-112). 5: log start offset.
* 7: zstd (KIP-110). 8: which records are bad, and why (KIP-467).
* 10: the current leader, beside error 6 (KIP-951). 11: error 120; 12: partitions join a transaction by it (KIP-890).
* 13: topic ids (KIP-516).
"""

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from fakekafka.cluster.produced_sets import PLAIN, Look, look
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Outcome, Result, Wait
from fakekafka.handlers.produce_answer import FIRST_WITH_IDS, Answered, Place, answer, refused, topic_name
from fakekafka.ids import Buffer, PartitionIndex, TopicName
from fakekafka.storage.partition import ALL_IN_SYNC, AppendResult, Partition
from fakekafka.wire.apis.produce import ProduceRequest

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
NULL_RECORDS: Final = {"close": Outcome.CLOSE, "silent": Outcome.SILENCE, "hang": Outcome.HANG}
FIRST_WITH_STORAGE_ERROR: Final = 4
STORAGE: Final = ErrorCode.KAFKA_STORAGE_ERROR
FIRST_WITH_ABORTABLE: Final = 11
FIRST_THAT_ADDS: Final = 12

Barred: TypeAlias = Mapping[tuple[TopicName, PartitionIndex], tuple[ErrorCode, str | None]]
"""What partitions are answered that may not be written to."""


class Produced(NamedTuple):
    """One set of the request, and what the first look says of it."""

    records: Buffer | None
    look: Look


def handle(request: ProduceRequest, call: Call) -> Result:
    """Append to every partition."""
    sets = _first_look(request, call)
    if isinstance(sets, Outcome):
        return sets
    barred: Barred = {}
    special = [one.look for one in sets.values() if one.look is not PLAIN]
    if special:
        spoilt = _refusal_of_all(special, request, call)
        if spoilt is not None:
            return answer(dict.fromkeys(sets, spoilt), request, call)
        barred = _barred_by_coordinator(sets, request, call)
    answers = {place: _append(place, one, request, call, barred) for place, one in sets.items()}
    waiting = _unreplicated(answers, request, call)
    return _wait(waiting, answers, request) if waiting else answer(answers, request, call)


# ---- before anything is appended


def _first_look(request: ProduceRequest, call: Call) -> dict[Place, Produced] | Outcome:
    """The sets by place. Of two for one partition the last counts: real brokers put them into a map."""
    rules, knows_zstd = call.profile.produce, call.profile.append.newest_codec >= 4
    found: dict[Place, Produced] = {}
    for topic in request.topic_data:
        for data in topic.partition_data:
            records, seen = data.records, None
            if records is None:
                if rules.null_records != "answered twice":
                    return NULL_RECORDS[rules.null_records]
                seen = PLAIN
            else:
                assert not isinstance(records, list)
                seen = look(records, call.version, rules, knows_zstd)
            if seen is None:
                return Outcome.CLOSE
            found[topic.name, topic.topic_id, data.index] = Produced(records, seen)
    return found


def _refusal_of_all(looks: list[Look], request: ProduceRequest, call: Call) -> Answered | None:
    """What every partition is answered, if one set spoils the request."""
    rules = call.profile.produce
    for seen in looks:
        if seen.spoils:
            return refused(seen.error, seen.spoils)
    transactional = [seen for seen in looks if seen.transactional]
    if transactional and rules.transactional_id_checked and request.transactional_id is None:
        return refused(ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED)  # before sets are refused on their own
    producers = {(seen.producer_id, seen.producer_epoch) for seen in transactional if not seen.error}
    if len(producers) > 1 and rules.several_transactions == "error 49":
        text = "Transactional records contained more than one producer ID"
        return refused(ErrorCode.INVALID_PRODUCER_ID_MAPPING, text)
    return None


def _barred_by_coordinator(sets: Mapping[Place, Produced], request: ProduceRequest, call: Call) -> Barred:
    """Partitions that are not in the producer's transaction, where a coordinator says so (KIP-890).

    It is not asked about partitions that have an open transaction of the producer already.
    """
    if request.transactional_id is None or call.profile.transactions.verified == "nothing":
        return {}
    by_epoch = call.profile.produce.open_transaction_of == "producer and epoch"
    asked = {}
    producer = PLAIN
    for place, one in sets.items():
        is_meant = one.look.transactional and not one.look.error
        partition = call.broker.partition(topic_name(place, call), place[2]) if is_meant else None
        if partition is not None:
            producer = one.look
            epoch = producer.producer_epoch if by_epoch else None
            if not partition.in_transaction(producer.producer_id, epoch):
                asked[partition.topic.name, partition.index] = one.look.base_sequence
    if not asked:
        return {}
    from fakekafka.coordinators.transactions.transaction import ProducerIdAndEpoch  # only transactions need these
    from fakekafka.coordinators.transactions.verification import Verification, refused_records

    who = ProducerIdAndEpoch(producer.producer_id, producer.producer_epoch)
    ask = Verification.ADD if call.version >= FIRST_THAT_ADDS else Verification.CHECK
    ask = ask if call.version >= FIRST_WITH_ABORTABLE else Verification.OLD
    return refused_records(call.broker, request.transactional_id, who, asked, ask)


# ---- one partition


def _append(place: Place, one: Produced, request: ProduceRequest, call: Call, barred: Barred) -> Answered:
    broker, rules = call.broker, call.profile.produce
    name, index = topic_name(place, call), place[2]
    if not name and call.version >= FIRST_WITH_IDS:
        return refused(ErrorCode.UNKNOWN_TOPIC_ID)
    partition = broker.partition(name, index)
    if partition is None and _is_unknown(name, index, call):
        return refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    if one.look.error is not ErrorCode.NONE:
        return refused(one.look.error)
    if (name, index) in barred:
        return refused(*barred[name, index])
    if request.acks not in VALID_ACKS and rules.odd_acks is not None:
        return refused(rules.odd_acks)
    if name in call.profile.metadata.internal_topics and _is_closed(call):
        return refused(ErrorCode.INVALID_TOPIC_EXCEPTION)
    if partition is None and (name, index) in broker.offline:
        return refused(_storage_error(call))
    if partition is None:
        hosted = (name, index) in broker.partitions
        return refused(ErrorCode.NOT_LEADER_OR_FOLLOWER if hosted else rules.not_hosted)
    if one.records is None:
        return Answered(None, AppendResult(ErrorCode.UNKNOWN_SERVER_ERROR), partition.log_start_offset)
    done = partition.append(one.records, call.now, request.acks, broker.bill.cpu_ns)
    if done.error is ErrorCode.NONE:
        broker.waiters.wake(partition.key)
        magic = partition.log.config.message_format
        broker.bill.appended((call.version, call.client_id), name, magic, len(one.records), done)
    elif done.error is STORAGE:
        return Answered(partition, done._replace(error=_storage_error(call)))
    elif not _tells_log_start(done.error, call):
        return Answered(partition, done)
    return Answered(partition, done, partition.log_start_offset)


def _storage_error(call: Call) -> ErrorCode:
    return call.profile.produce.old_storage_error if call.version < FIRST_WITH_STORAGE_ERROR else STORAGE


def _is_unknown(name: TopicName, index: PartitionIndex, call: Call) -> bool:
    topic = call.broker.cluster.topics.get(name)
    return topic is None or topic.partition(index) is None


def _is_closed(call: Call) -> bool:
    """Whether this client may not write into internal topics."""
    who = call.profile.produce.closed_topics
    return who == "internal" or (who == "only by admin client" and call.client_id != ADMIN_CLIENT)


def _tells_log_start(error: ErrorCode, call: Call) -> bool:
    if error is ErrorCode.INVALID_TIMESTAMP:
        return call.profile.produce.refusal_log_start == "partition's"
    return error not in WITHOUT_START


# ---- waiting for replicas


def _unreplicated(answers: Mapping[Place, Answered], request: ProduceRequest, call: Call) -> dict[Place, Partition]:
    """Partitions whose records not enough replicas have yet."""
    acks = request.acks
    if acks in (0, 1):
        return {}
    written = {
        place: a.partition
        for place, a in answers.items()
        if a.partition and a.done.error is ErrorCode.NONE and a.partition.leads
    }
    single = all(len(partition.state.replicas) == 1 for partition in written.values())
    if single and not call.profile.produce.waits_for_single_replica:
        return {}
    return {place: p for place, p in written.items() if not p.has_acks(answers[place].done, acks)}


def _wait(waiting: Mapping[Place, Partition], answers: Mapping[Place, Answered], request: ProduceRequest) -> Wait:
    def resume(call: Call, expired: bool) -> Result:
        left = _unreplicated(answers, request, call)
        if left and not expired:
            return _wait(left, answers, request)
        return answer({p: _after_wait(a, p in left, request, call) for p, a in answers.items()}, request, call)

    return Wait(tuple(partition.key for partition in waiting.values()), max(0, request.timeout_ms), resume)


def _after_wait(answered: Answered, timed_out: bool, request: ProduceRequest, call: Call) -> Answered:
    done, partition = answered.done, answered.partition
    if partition is None or done.error is not ErrorCode.NONE:
        return answered
    if not partition.leads:  # it lost the lead meanwhile, and maybe the records
        done = done._replace(error=ErrorCode.NOT_LEADER_OR_FOLLOWER)
    elif timed_out:
        done = done._replace(error=ErrorCode.REQUEST_TIMED_OUT)
    elif request.acks == ALL_IN_SYNC and partition.lacks_replicas:
        done = done._replace(error=ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND)
    if call.profile.produce.delayed_base_offset == "behind last":
        done = done._replace(base_offset=done.last_offset + 1)
    return answered._replace(done=done)
