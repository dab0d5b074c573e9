"""Rights for writing and reading records."""

from collections.abc import Iterable
from typing import Any, assert_never

from fakekafka.cluster.reading import Read, Reader, Wanted, read_all
from fakekafka.cluster.topic_creation.topic_names import is_legal
from fakekafka.cluster.untried_read import UntriedRead
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Outcome, Result
from fakekafka.handlers.produce_versions import VERSIONS
from fakekafka.handlers.produced_sets import PLAIN, PRODUCER_END, validate
from fakekafka.handlers.rights import Handle
from fakekafka.handlers.rights.parts import (
    CLUSTER_ERROR,
    NONE,
    TOPIC_ERROR,
    TRANSACTION_ERROR,
    at_last,
    may_transact,
    refuse,
    split,
    topic_refusal,
    with_list,
)
from fakekafka.ids import NO_EPOCH, NO_OFFSET, NO_TIMESTAMP, Buffer
from fakekafka.security.acl import Operation
from fakekafka.wire.message import Request


def list_offsets(request: Request, call: Call, handle: Handle) -> Result:
    """Describe on each topic, whether it exists or not."""

    def complete(row: Any) -> None:
        for partition in row.partitions:
            partition.timestamp, partition.offset = NO_TIMESTAMP, NO_OFFSET

    def refusal_of(topic: Any) -> ErrorCode:
        return call.topic_refusal(Operation.DESCRIBE, topic.name)

    return split(request, call, handle, "topics", "topics", refusal_of, refused_row=complete)


def delete_records(request: Request, call: Call, handle: Handle) -> Result:
    """Delete on each topic."""

    def complete(row: Any) -> None:
        for partition in row.partitions:
            partition.low_watermark = NO_OFFSET

    def refusal_of(topic: Any) -> ErrorCode:
        return topic_refusal(call, Operation.DELETE, topic)

    return split(request, call, handle, "topics", "topics", refusal_of, refused_row=complete)


def describe_producers(request: Request, call: Call, handle: Handle) -> Result:
    """Read on each topic. Where names are checked, that comes first (asked of 2.8.2 to 4.3.1)."""

    def refusal_of(topic: Any) -> ErrorCode:
        rules = call.profile
        is_refused_later = rules.transactions.described_names_checked and not is_legal(rules, topic.name)
        return NONE if is_refused_later else topic_refusal(call, Operation.READ, topic)

    return split(request, call, handle, "topics", "topics", refusal_of)


def produce(request: Any, call: Call, handle: Handle) -> Result:
    """Write on each topic; before that a right on the transactional id, or on the cluster for producer ids."""
    error = _whole_refusal(request, call)
    if error is not NONE:
        return Outcome.CLOSE if request.acks == 0 else _refused(request, call, error)
    refused = [topic for topic in request.topic_data if topic_refusal(call, Operation.WRITE, topic)]
    if refused and request.acks == 0:
        allowed = [topic for topic in request.topic_data if topic not in refused]
        return at_last(handle(with_list(request, "topic_data", allowed), call), Outcome.CLOSE)
    return split(
        request,
        call,
        handle,
        "topic_data",
        "responses",
        lambda topic: topic_refusal(call, Operation.WRITE, topic),
        refused_row=_finish_topic,
    )


def _refused(request: Any, call: Call, error: ErrorCode) -> Result:
    answer: Any = refuse(request, call, error)
    call.refused_as_a_whole = True
    for topic in answer.responses:
        _finish_topic(topic)
    return answer  # type: ignore[no-any-return]


def _finish_topic(row: Any) -> None:
    for partition in row.partition_responses:
        partition.base_offset = partition.log_append_time_ms = partition.log_start_offset = NO_OFFSET


def _whole_refusal(request: Any, call: Call) -> ErrorCode:
    """The error for every partition."""
    sets = [data.records for topic in request.topic_data for data in topic.partition_data if data.records]
    version, rules, rights = VERSIONS[call.version], call.profile.produce, call.profile.authorization
    if rights.last_set_decides:
        sets = sets[-1:]
    validations = [validate(records, version, rules, knows_zstd=True) or PLAIN for records in sets]
    if any(one.transactional for one in validations):
        name = request.transactional_id
        if name is None:
            return rights.null_transactional_id
        allowed = may_transact(call, Operation.WRITE, name)
        return NONE if allowed else TRANSACTION_ERROR
    has_ids = any(one.producer_id >= 0 for one in validations) or any(map(_has_producer_id, sets))
    if has_ids and rights.idempotence_needs_cluster:
        return NONE if call.authorized_on_cluster(Operation.IDEMPOTENT_WRITE) else CLUSTER_ERROR
    return NONE


def _has_producer_id(records: Buffer) -> bool:
    """Whether the first unit is a batch of format 2 with a producer id."""
    whole = len(records) >= PRODUCER_END
    return whole and records[MAGIC_AT] == MAGIC_2 and records[PRODUCER_AT] < FIRST_NEGATIVE


MAGIC_AT, MAGIC_2, PRODUCER_AT, FIRST_NEGATIVE = 16, 2, PRODUCER_END - 8, 128


def allowed_reads(call: Call, wanted: Iterable[Wanted], reader: Reader, max_bytes: int) -> list[Read]:
    """Read the partitions that the client may read, and refuse the others."""
    wanted = sorted(wanted, key=lambda want: want.name is not None)  # unknown ids are checked first
    names = dict.fromkeys(want.name for want in wanted if want.name is not None)
    errors = _fetch_refusals(call, names, reader)
    allowed = [want for want in wanted if not errors.get(want.name)]
    read = iter(read_all(call.broker, allowed, reader, max_bytes))
    return [UntriedRead(want, None, errors[want.name]) if errors.get(want.name) else next(read) for want in wanted]


def _fetch_refusals(call: Call, names: Iterable[str], reader: Reader) -> dict[str | None, ErrorCode]:
    match call.profile.authorization.follower_needs if reader.is_follower else "read":
        case "cluster action":
            allowed = call.authorized_on_cluster(Operation.CLUSTER_ACTION)
            return {} if allowed else dict.fromkeys(names, TOPIC_ERROR)
        case "both":
            if not call.authorized_on_cluster(Operation.CLUSTER_ACTION):
                return dict.fromkeys(names, CLUSTER_ERROR)
        case "read":
            pass
        case needs:
            assert_never(needs)
    return {name: call.topic_refusal(Operation.READ, name) for name in names}


def offset_for_leader_epoch(request: Request, call: Call, handle: Handle) -> Result:
    """ClusterAction on the cluster in the first releases; later Describe on each topic suffices."""
    rules = call.profile.authorization
    if call.authorized_on_cluster(Operation.CLUSTER_ACTION):
        return handle(request, call)
    if not rules.epochs_by_topic:
        answer: Any = refuse(request, call, CLUSTER_ERROR)
        for row in answer.topics:
            _without_epochs(row)
        return answer  # type: ignore[no-any-return]

    def refusal_of(topic: Any) -> ErrorCode:
        return topic_refusal(call, Operation.DESCRIBE, topic)

    return split(request, call, handle, "topics", "topics", refusal_of, refused_row=_without_epochs)


def _without_epochs(row: Any) -> None:
    for partition in row.partitions:
        partition.leader_epoch, partition.end_offset = NO_EPOCH, NO_OFFSET
