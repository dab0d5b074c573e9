"""TxnOffsetCommit, key 28: commit a group's offsets as part of a transaction.

Versions: 0 - 6.

Behaviour
* The offsets are written at once and stay pending until the transaction's marker comes
  (`coordinators.groups`). All partitions of a request are one append.
* The producer is checked only if the transaction coordinator is asked (KIP-890); otherwise the log checks its epoch.

Version notes
* 2: leader epochs (KIP-320). 3: the member that commits, so that a replaced member is refused (KIP-447); in groups
  of KIP-848 with the member's epoch.
* 4: 120 for a group that is not in the transaction; 5: it joins with this request (KIP-890). 6: topic ids (KIP-1319).

Not done: nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias, assert_never

from fakekafka.aside import aside
from fakekafka.cluster.internal_topics import Producer
from fakekafka.cluster.known_topics import known_partition, known_topic
from fakekafka.coordinators.groups.classic.member import Identity
from fakekafka.coordinators.groups.offsets.commits import COMMIT_ERRORS, Commit
from fakekafka.coordinators.groups.offsets.store import Committed
from fakekafka.coordinators.transactions.transaction import ProducerIdAndEpoch
from fakekafka.coordinators.transactions.verification import Verification, verify
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.as_map import count_named
from fakekafka.handlers.call import Call, Result, stepwise
from fakekafka.handlers.commits import Asked, TopicAnswer, answered, answered_as_map, each_once, flattened
from fakekafka.handlers.refusal import refusal
from fakekafka.ids import NO_PRODUCER_EPOCH, NO_PRODUCER_ID
from fakekafka.pieces import Stepwise
from fakekafka.state.topics import CONSUMER_OFFSETS
from fakekafka.wire.apis.txn_offset_commit import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitResponse,
    TxnOffsetCommitResponsePartition,
    TxnOffsetCommitResponseTopic,
)
from fakekafka.wire.message import Response

FIRST_THAT_AWAITS_LOADING: Final = 2
FIRST_WITH_ABORTABLE: Final = 4
FIRST_THAT_ADDS: Final = 5
FIRST_WITH_TOPIC_IDS: Final = 6
NOT_GIVEN: Final = -1


Commits: TypeAlias = Sequence[Asked[TxnOffsetCommitRequestPartition]]
Answer: TypeAlias = Callable[[Sequence[ErrorCode]], TxnOffsetCommitResponse]
"""The answer, from what became of the partitions that exist."""


@stepwise
def handle(request: TxnOffsetCommitRequest, call: Call) -> Stepwise[Result]:
    """Commit what can be committed: that is one step."""
    if not call.transactions.is_allowed:
        return refusal(request, call.version, ErrorCode.UNSUPPORTED_VERSION)
    size = count_named(request.topics)
    asked, good, answer = yield from aside(lambda: _sorted_out(request, call), size)
    try:
        errors = _store(request, good, call) if good else []
    except ApiError as failed:
        return _failed(request, asked, failed.code, call)
    return (yield from aside(lambda: answer(errors), size))


def _sorted_out(request: TxnOffsetCommitRequest, call: Call) -> "tuple[Commits, Commits, Answer]":
    """What is asked for, those of it that exist, as the release keeps them, and the answer about the others."""
    rules = call.profile.offsets
    topics = call.broker.cluster.topics_by_id if call.version >= FIRST_WITH_TOPIC_IDS else {}
    named = [
        (topics[t.topic_id].name if t.topic_id in topics else t.name, t.topic_id, t.partitions) for t in request.topics
    ]
    asked = each_once(flattened(named)) if rules.commits_are_map else flattened(named)
    errors = [_missing(one, call) for one in asked]
    bad = [(one, error) for one, error in zip(asked, errors) if error is not ErrorCode.NONE]
    good = [one for one, error in zip(asked, errors) if error is ErrorCode.NONE]
    if not rules.commits_are_list:
        good = each_once(good)
    absent = [(name, id_) for name, id_, _ in named if known_topic(call.broker, name) is None]

    def answer(errors: Sequence[ErrorCode]) -> TxnOffsetCommitResponse:
        results = list(zip(good, errors))
        if rules.commits_are_map:
            return _response(answered_as_map(asked, [*bad, *results]))
        return _response(answered(absent, bad, results, rules.commits_are_list))

    return asked, good, answer


def _failed(request: TxnOffsetCommitRequest, asked: Commits, error: ErrorCode, call: Call) -> Response:
    match call.profile.offsets.failed_transaction_commit:
        case "each partition once":
            return _response(answered_as_map(asked, [(one, error) for one in asked]))
        case "as asked":
            call.refused_as_a_whole = True
            return refusal(request, call.version, error)
        case form:
            assert_never(form)


def _missing(asked: Asked[TxnOffsetCommitRequestPartition], call: Call) -> ErrorCode:
    """The error for a missing topic or partition, as far as the release checks."""
    topic = known_topic(call.broker, asked.topic)
    if topic is None and call.version >= FIRST_WITH_TOPIC_IDS:
        return ErrorCode.UNKNOWN_TOPIC_ID
    by_partition, index = call.profile.offsets.checks_partition, asked.partition.partition_index
    missing = topic is None or (by_partition and known_partition(call.broker, asked.topic, index) is None)
    return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION if missing else ErrorCode.NONE


def _store(request: TxnOffsetCommitRequest, asked: Commits, call: Call) -> list[ErrorCode]:
    """An error for each. Raises `ApiError` if the coordinator fails."""
    identity = Identity(request.member_id, request.group_instance_id)
    offsets, group_id = call.groups.offset_manager, request.group_id
    error = offsets.txn_status(group_id)
    if error is ErrorCode.NONE:
        offsets.make_group_of_transaction(group_id)
    error = error or _refusal_by_coordinator(request, call)
    error = error or offsets.validate_txn_commit(group_id, request.generation_id_or_member_epoch, identity)
    error = error or _stale(request, asked, call)
    if error is ErrorCode.NONE:
        _check_epoch(request, asked, call)
    if error is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS and call.version < FIRST_THAT_AWAITS_LOADING:
        error = call.profile.transactions.loading_offsets
    if error is not ErrorCode.NONE:
        return [error for _ in asked]
    producer = Producer(request.producer_id, request.producer_epoch, sequence=0)
    return offsets.store(group_id, [_commit(a, call) for a in asked], producer)


def _check_epoch(request: TxnOffsetCommitRequest, asked: Commits, call: Call) -> None:
    """Raises `ApiError` if a batch would be written with an epoch that no batch can have (MemoryRecordsBuilder)."""
    if request.producer_id == NO_PRODUCER_ID or request.producer_epoch != NO_PRODUCER_EPOCH:
        return
    if any(call.groups.offset_manager.fits(one.partition.committed_metadata or "") for one in asked):
        raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)


def _stale(request: TxnOffsetCommitRequest, asked: Commits, call: Call) -> ErrorCode:
    """The error if a member did not have a partition in the epoch that it names."""
    partitions = [(a.topic, a.partition.partition_index) for a in asked]
    epoch = request.generation_id_or_member_epoch
    offsets = call.groups.offset_manager
    error = offsets.validate_partitions(request.group_id, epoch, request.member_id, partitions)
    return ErrorCode.ILLEGAL_GENERATION if error is ErrorCode.STALE_MEMBER_EPOCH else error


def _refusal_by_coordinator(request: TxnOffsetCommitRequest, call: Call) -> ErrorCode:
    """The coordinator's refusal if the group's commits do not belong to the transaction. The
    coordinator is not asked if the producer already has pending commits in the partition.
    """
    match call.profile.transactions.verified:
        case "nothing" | "records":
            return ErrorCode.NONE
        case "records and offsets":
            return _unverified(request, call)
        case rule:
            assert_never(rule)


def _unverified(request: TxnOffsetCommitRequest, call: Call) -> ErrorCode:
    place = CONSUMER_OFFSETS, call.groups.partition_of(request.group_id)
    partition = call.broker.partition(*place)
    by_epoch = call.profile.produce.open_transaction_of == "producer and epoch"
    epoch = request.producer_epoch if by_epoch else None
    if partition is None or partition.in_transaction(request.producer_id, epoch):
        return ErrorCode.NONE
    ask = Verification.ADD if call.version >= FIRST_THAT_ADDS else Verification.CHECK
    ask = ask if call.version >= FIRST_WITH_ABORTABLE else Verification.OLD
    producer = ProducerIdAndEpoch(request.producer_id, request.producer_epoch)
    error = verify(call.broker, request.transactional_id, producer, [place], ask).get(place, ErrorCode.NONE)
    return COMMIT_ERRORS.get(error, error)


def _commit(asked: Asked[TxnOffsetCommitRequestPartition], call: Call) -> Commit:
    p = asked.partition
    time, expiry = call.groups.offset_manager.committed_at(NOT_GIVEN, NOT_GIVEN)
    committed = Committed(p.committed_offset, p.committed_leader_epoch, p.committed_metadata or "", time, expiry)
    return Commit(asked.topic, p.partition_index, committed)


def _response(topics: Iterable[TopicAnswer]) -> TxnOffsetCommitResponse:
    return TxnOffsetCommitResponse(
        topics=[
            TxnOffsetCommitResponseTopic(
                name=name,
                topic_id=topic_id,
                partitions=[TxnOffsetCommitResponsePartition(partition_index=n, error_code=e) for n, e in partitions],
            )
            for name, topic_id, partitions in topics
        ]
    )
