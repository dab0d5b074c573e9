"""Produce, key 0: append record sets.

Versions: 0 - 13.

Behaviour
* Four steps: read the sets, which the version may or may not carry (`produced_sets`); ask the transaction coordinator
  (`produce_verification`); append; answer (`produce_answer`). What each version can say is in `produce_versions`.
* Partitions are independent: each set is appended or refused as a whole (`storage.partition`, `records.append`).
* acks -1: the answer waits until all replicas in sync have the records, or until its time is up.
* acks 0: there is no answer; an error closes the connection instead.
* The batches of one request may decompress to a gigabyte together; no release has such a bound.

Version notes
* 0, 1: format 0; 2: format 1; a broker takes any format in them. 3 and later: one batch of format 2 (KIP-98).
* 2: log append time (KIP-32). 4: error 56 for a failed disk, error 6 in lower versions (KIP-112). 5: log start offset.
* 7: zstd (KIP-110). 8: which records are bad, and why (KIP-467).
* 10: the current leader, beside error 6 (KIP-951). 11: error 120; 12: partitions join a transaction with this request
  (KIP-890).
* 13: topic ids (KIP-516).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, assert_never

from fakekafka.aside import aside
from fakekafka.cluster.known_topics import known_partition, known_topic
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Outcome, Result, Wait, in_steps
from fakekafka.handlers.produce_answer import PartitionResult, Results, answer, refused
from fakekafka.handlers.produce_verification import Unverified, unverified_partitions
from fakekafka.handlers.produce_versions import VERSIONS
from fakekafka.handlers.produced_sets import PLAIN, ProducedSet, RequestedPartition, Validation, read_sets
from fakekafka.ids import TopicName
from fakekafka.pieces import PER_STEP, Stepwise
from fakekafka.records import compression
from fakekafka.records.as_sent import kept
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
"""Errors of an append that every release answers with -1 as the log start offset (ReplicaManager.appendToLocalLog)."""
STORAGE: Final = ErrorCode.KAFKA_STORAGE_ERROR


def handle(request: ProduceRequest, call: Call) -> Result:
    """Append to every partition."""
    size = 0
    for topic in request.topic_data:  # not a comprehension: before Python 3.12 that is one more function
        size += 1 + len(topic.partition_data)
    if size > PER_STEP:
        return in_steps(_in_steps(request, call))
    sets = read_sets(request, call)
    if isinstance(sets, Outcome):
        return sets
    unverified: Unverified = {}
    special = []
    for one in sets.values():  # likewise
        if one.validation is not PLAIN:
            special.append(one.validation)
    if special:
        refusal = _refusal_of_all(special, request, call)
        if refusal is not None:
            return _all_refused(refusal, sets, request, call)
        unverified = unverified_partitions(sets.values(), request.transactional_id, call)
    if len(sets) > 1 and call.profile.fetch.woken_early:
        sets = _as_appended(sets, call)
    call.kept = {}
    results, _ = _append_all(sets.items(), request.acks, call, unverified, compression.ALLOWED_TOGETHER)
    return _settled(results, sets, request, call)


def _as_appended(sets: Mapping[RequestedPartition, ProducedSet], call: Call) -> dict[RequestedPartition, ProducedSet]:
    """The sets in the order in which the release appends them, where clients see it."""
    from fakekafka.handlers.orders.records import appended  # few releases

    places = {(one.topic, one.partition_index): requested for requested, one in sets.items()}
    return {places[place]: sets[places[place]] for place in appended(places, call)}


def _in_steps(request: ProduceRequest, call: Call) -> Stepwise[Result]:
    """`handle`, for very many partitions."""
    sets = yield from aside(lambda: read_sets(request, call))
    if isinstance(sets, Outcome):
        return sets
    special = [one.validation for one in sets.values() if one.validation is not PLAIN]
    refusal = _refusal_of_all(special, request, call)
    if refusal is not None:
        return _all_refused(refusal, sets, request, call)
    unverified = unverified_partitions(sets.values(), request.transactional_id, call) if special else {}
    if call.profile.fetch.woken_early:
        given = sets
        sets = yield from aside(lambda: _as_appended(given, call))
    results: dict[RequestedPartition, PartitionResult] = {}
    items, left, call.kept = list(sets.items()), compression.ALLOWED_TOGETHER, {}
    for n in range(0, len(items), PER_STEP):
        some, left = _append_all(items[n : n + PER_STEP], request.acks, call, unverified, left)
        results |= some
        yield
    if call.client_id is None and call.profile.produce.null_client_id_fails:
        return _failed(sets, request, call)
    waiting = {} if request.acks in (0, 1) else _unreplicated(results, request, call)
    return _wait(waiting, results, request) if waiting else (yield from aside(lambda: answer(results, request, call)))


def _all_refused(
    refusal: PartitionResult, sets: Mapping[RequestedPartition, ProducedSet], request: ProduceRequest, call: Call
) -> Result:
    call.refused_as_a_whole = True
    return answer(dict.fromkeys(sets, refusal), request, call)


def _settled(
    results: Results, sets: Mapping[RequestedPartition, ProducedSet], request: ProduceRequest, call: Call
) -> Result:
    """The answer once everything is appended, or the wait for it."""
    if call.client_id is None and call.profile.produce.null_client_id_fails:
        return _failed(sets, request, call)
    if request.acks in (0, 1):
        return answer(results, request, call)
    waiting = _unreplicated(results, request, call)
    return _wait(waiting, results, request) if waiting else answer(results, request, call)


def _failed(sets: Mapping[RequestedPartition, ProducedSet], request: ProduceRequest, call: Call) -> Result:
    """The answer to a request that failed as a whole after its records were appended."""
    call.answer_version = 0
    return answer(dict.fromkeys(sets, refused(ErrorCode.UNKNOWN_SERVER_ERROR)), request, call)


def _refusal_of_all(validations: Sequence[Validation], request: ProduceRequest, call: Call) -> PartitionResult | None:
    """The result for every partition, if one set spoils the request."""
    rules = call.profile.produce
    for validation in validations:
        if validation.spoils:
            return refused(validation.error, validation.spoils)
    transactional = [validation for validation in validations if validation.transactional]
    if transactional and rules.transactional_id_checked and request.transactional_id is None:
        return refused(ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED)  # before single sets are refused
    producers = {(known.producer_id, known.producer_epoch) for known in transactional if not known.error}
    if len(producers) > 1 and rules.several_transactions == "error 49":
        text = "Transactional records contained more than one producer ID"
        return refused(ErrorCode.INVALID_PRODUCER_ID_MAPPING, text)
    return None


# ---- one partition


def _append_all(
    sets: Iterable[tuple[RequestedPartition, ProducedSet]],
    acks: int,
    call: Call,
    unverified: Unverified,
    left: int,
) -> tuple[Results, int]:
    """The results, and how many of the `left` bytes may still come out of compressed sets."""
    results, allowance = {}, compression.left_together.set(left)
    beginnings, woken_early = call.kept, call.profile.fetch.woken_early
    assert beginnings is not None
    try:
        for requested, one in sets:  # not a comprehension: before Python 3.12 that is one more function
            if one.records is not None:
                beginnings[requested] = kept(one.records)
            results[requested] = _append(one, acks, call, unverified)
            if woken_early:
                _wake_fetches(results[requested], call)
        return results, compression.left_together.get() or 0
    finally:
        compression.left_together.reset(allowance)


def _wake_fetches(result: PartitionResult, call: Call) -> None:
    """Answer requests that waited for what was just appended. What they decompress is not this request's."""
    if result.partition is None or result.done.error is not ErrorCode.NONE:
        return
    allowance = compression.left_together.set(None)
    try:
        call.broker.waiters.wake_now(result.partition.key)
    finally:
        compression.left_together.reset(allowance)


def _is_missed_first(name: TopicName, call: Call) -> bool:
    """Whether a partition that does not exist is noticed before anything else is checked."""
    match call.profile.produce.looked_up_first:
        case "nothing":
            return False
        case "topic":
            return known_topic(call.broker, name) is None
        case "partition":
            return True
        case rule:
            assert_never(rule)


def _append(one: ProducedSet, acks: int, call: Call, unverified: Unverified) -> PartitionResult:
    broker, rules = call.broker, call.profile.produce
    name, index, records, validation = one
    if not name and VERSIONS[call.version].topic_ids:
        return refused(ErrorCode.UNKNOWN_TOPIC_ID)
    partition = broker.partition(name, index)
    is_missing = partition is None and known_partition(call.broker, name, index) is None
    if is_missing and _is_missed_first(name, call):
        return refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    if validation.error is not ErrorCode.NONE:
        return refused(validation.error)
    if (name, index) in unverified:
        return refused(*unverified[name, index])
    if acks not in VALID_ACKS and rules.odd_acks is not None:
        return refused(rules.odd_acks)
    if name in call.profile.metadata.internal_topics and _is_closed(call):
        return refused(ErrorCode.INVALID_TOPIC_EXCEPTION)
    if is_missing:
        return refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    if partition is None and (name, index) in broker.offline:
        return refused(_storage_error(call))
    if partition is None:
        hosted = (name, index) in broker.partitions
        return refused(ErrorCode.NOT_LEADER_OR_FOLLOWER if hosted else rules.not_hosted)
    if records is None:
        return PartitionResult(None, AppendResult(ErrorCode.UNKNOWN_SERVER_ERROR), partition.log_start_offset)
    done = partition.append(records, call.now, acks, broker.bill.cpu_ns)
    if done.error is ErrorCode.NONE:
        broker.waiters.wake(partition.key)
        magic = partition.log.config.message_format
        broker.bill.appended((call.version, call.client_id), name, magic, len(records), done)
    elif done.error is STORAGE:
        return PartitionResult(partition, done._replace(error=_storage_error(call)))
    elif not _tells_log_start(done.error, call):
        return PartitionResult(partition, done)
    return PartitionResult(partition, done, partition.log_start_offset)


def _storage_error(call: Call) -> ErrorCode:
    return STORAGE if VERSIONS[call.version].storage_error else call.profile.produce.old_storage_error


def _is_closed(call: Call) -> bool:
    """Whether this client may not write into internal topics."""
    match call.profile.produce.closed_topics:
        case "none":
            return False
        case "internal":
            return True
        case "only by admin client":
            return call.client_id != ADMIN_CLIENT
        case rule:
            assert_never(rule)


def _tells_log_start(error: ErrorCode, call: Call) -> bool:
    if error is ErrorCode.INVALID_TIMESTAMP:
        return call.profile.produce.refusal_log_start == "partition's"
    return error not in WITHOUT_START


# ---- waiting for replicas


def _unreplicated(results: Results, request: ProduceRequest, call: Call) -> dict[RequestedPartition, Partition]:
    """Partitions whose records are not on enough replicas yet, if the request waits for replicas at all."""
    acks = request.acks
    waits = call.profile.produce.waits_for_single_replica
    unreplicated: dict[RequestedPartition, Partition] = {}
    for requested, (partition, done, _) in results.items():
        if partition is not None and done.error is ErrorCode.NONE and partition.leads:
            waits = waits or len(partition.state.replicas) > 1
            if not partition.has_acks(done, acks):
                unreplicated[requested] = partition
    return unreplicated if waits else {}


def _wait(waiting: Mapping[RequestedPartition, Partition], results: Results, request: ProduceRequest) -> Wait:
    def resume(call: Call, expired: bool) -> Result:
        left = _unreplicated(results, request, call)
        if left and not expired:
            return _wait(left, results, request)
        return answer({p: _after_wait(a, p in left, request, call) for p, a in results.items()}, request, call)

    return Wait(tuple(partition.key for partition in waiting.values()), max(0, request.timeout_ms), resume)


def _after_wait(result: PartitionResult, timed_out: bool, request: ProduceRequest, call: Call) -> PartitionResult:
    done, partition = result.done, result.partition
    if partition is None or done.error is not ErrorCode.NONE:
        return result
    if not partition.leads:  # the broker has lost the leadership meanwhile, and maybe the records
        done = done._replace(error=ErrorCode.NOT_LEADER_OR_FOLLOWER)
    elif timed_out:
        done = done._replace(error=ErrorCode.REQUEST_TIMED_OUT)
    elif request.acks == ALL_IN_SYNC and partition.lacks_replicas:
        done = done._replace(error=ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND)
    if call.profile.produce.delayed_base_offset == "behind last":
        done = done._replace(base_offset=done.last_offset + 1)
    return result._replace(done=done)
