"""ShareFetch, key 78: records for a member of a share group, and its acknowledgements of earlier ones (KIP-932).

Behaviour
* The member's acknowledgements are processed meanwhile: it gets records that it releases only if there is nothing else.
* The session says which partitions are read (`coordinators.share_partitions`); available records are locked for the
  member (`coordinators.share_partitions`).
* If less than `min_bytes` is available, the request waits, up to its time, for records or for locks to end.
* The first answer of a session shows all partitions that were read; later answers only those with news.
* A request that renews locks must not ask for records, or it is refused.

Versions: 1 - 2; renewed locks and exact numbers of records from 2 on; version 0 was the early access of 3.9 and 4.0.
Not done: 4.1 answers a request for no records with special errors.
"""

from typing import Final, NamedTuple

from fakekafka.coordinators.share_partitions.delivery import Want
from fakekafka.coordinators.share_partitions.fetching import (
    NOTHING,
    Acquired,
    Acquisitions,
    Limits,
    any_came_back,
    give,
    rotated,
)
from fakekafka.coordinators.share_partitions.partitions import find
from fakekafka.coordinators.share_partitions.requests import (
    Acknowledged,
    ShareClient,
    check,
    check_member,
    leader_elsewhere,
    leading_brokers,
)
from fakekafka.coordinators.share_partitions.sessions import FINAL, FIRST, ShareSession
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import WAIT_ON, Call, Wait
from fakekafka.ids import TopicIdPartition
from fakekafka.storage.partition import Partition
from fakekafka.wire.apis.share_fetch import (
    AcquiredRecords,
    LeaderIdAndEpoch,
    NodeEndpoint,
    PartitionData,
    ShareFetchableTopicResponse,
    ShareFetchRequest,
    ShareFetchResponse,
)

FIRST_WITH_RENEWALS: Final = 2
RECORD_LIMIT: Final = 1
"""share_acquire_mode: no more records than requested."""
MODES: Final = (0, RECORD_LIMIT)


class Fetch(NamedTuple):
    """One request being handled."""

    request: ShareFetchRequest
    client: ShareClient
    session: ShareSession
    acked: dict[TopicIdPartition, Acknowledged]
    shows_all: bool


def handle(request: ShareFetchRequest, call: Call) -> ShareFetchResponse | Wait:
    """Process the member's acknowledgements, then give it the available records."""
    if not call.groups.share_groups.is_on:
        return ShareFetchResponse(error_code=ErrorCode.UNSUPPORTED_VERSION)
    try:
        return _answered(begin(request, call), call)
    except ApiError as refused:
        return ShareFetchResponse(error_code=refused.code, error_message=refused.message)


def _answered(fetch: Fetch, call: Call) -> ShareFetchResponse | Wait:
    """Answer the request. Raises `ApiError`."""
    if fetch.request.share_acquire_mode not in MODES:
        raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)
    if fetch.request.share_session_epoch == FINAL:
        fetch = _carried_out(_checked(fetch, call))
        call.share.end_session(fetch.client.group, fetch.client.member)
        return _answer(fetch, Acquisitions({}, enough=True), call)
    fetch, acquisitions = _exchanged(fetch, call)
    if not acquisitions.enough and (fetch.request.is_renew_ack or fetch.request.max_wait_ms <= 0):
        acquisitions = _give(fetch, waited=bool(fetch.acked), at_last=True)
    return _answer(fetch, acquisitions, call) if acquisitions.enough else _waiting(fetch)


def _exchanged(fetch: Fetch, call: Call) -> tuple[Fetch, Acquisitions]:
    """Give records and process acknowledgements: the member gets what it releases only if there is nothing else, or not
    at all; and what it acknowledges too late is no longer its own, even if it gets that again.
    """
    if not call.profile.share_groups.released_while_waiting:
        had_some = any_came_back(fetch.client, fetch.session.tps)
        fetch = _carried_out(_checked(fetch, call))
        return fetch, _give(fetch, waited=bool(fetch.acked) and not had_some)
    fetch = _checked(fetch, call)
    acquisitions = _give(fetch)
    _carried_out(fetch)
    return fetch, _give(fetch) if fetch.acked and not acquisitions.enough else acquisitions


def begin(request: ShareFetchRequest, call: Call) -> Fetch:
    """Check the member's id, then continue or begin its session. Raises `ApiError`."""
    check_member(call.broker, request.member_id)
    wants = request.max_wait_ms, request.min_bytes, request.max_bytes, request.max_records
    if request.is_renew_ack and any(wants):
        raise ApiError(ErrorCode.INVALID_REQUEST)
    client = ShareClient(call.share, request.group_id or "", request.member_id or "")
    sessions, epoch = call.share.sessions, request.share_session_epoch
    asked = [(topic.topic_id, row.partition_index) for topic in request.topics for row in topic.partitions]
    has_acks = any(row.acknowledgement_batches for topic in request.topics for row in topic.partitions)
    if epoch == FIRST:
        if has_acks:
            raise ApiError(ErrorCode.INVALID_REQUEST)
        return Fetch(
            request, client, sessions.open(client.group, client.member, asked, call.connection_id), {}, shows_all=True
        )
    if epoch == FINAL:
        session = sessions.check(client.group, client.member)
    else:
        session = sessions.go_on(client.group, client.member, epoch)
        session.tps.update(dict.fromkeys(asked))
        for topic in request.forgotten_topics_data:
            for partition in topic.partitions:
                session.tps.pop((topic.topic_id, partition), None)
    return Fetch(request, client, session, {}, shows_all=False)


def _checked(fetch: Fetch, call: Call) -> Fetch:
    """The fetch with its acknowledgements, which are still to be carried out."""
    renews = call.version >= FIRST_WITH_RENEWALS and fetch.request.is_renew_ack
    acked = {
        tp: check(fetch.client, tp, row.acknowledgement_batches, renews=renews)
        for topic in fetch.request.topics
        for row in topic.partitions
        for tp in [(topic.topic_id, row.partition_index)]
        if row.acknowledgement_batches
    }
    return fetch._replace(acked=acked)


def _carried_out(fetch: Fetch) -> Fetch:
    """The fetch, its acknowledgements done."""
    for acknowledged in fetch.acked.values():
        acknowledged.carry_out()
    return fetch


def _give(fetch: Fetch, *, waited: bool = False, at_last: bool = False) -> Acquisitions:
    """Give the records that the partitions of the session have now."""
    request = fetch.request
    want = Want(request.max_records, request.batch_size, request.share_acquire_mode == RECORD_LIMIT)
    limits = Limits(request.max_bytes, request.min_bytes, want)
    tps = rotated(fetch.session.tps, request.share_session_epoch)
    return give(fetch.client, tps, limits, waited=waited, at_last=at_last)


def _waiting(fetch: Fetch) -> Wait:
    def resume(call: Call, expired: bool) -> ShareFetchResponse | Wait:
        try:
            acquisitions = _give(fetch, waited=True, at_last=expired)
        except ApiError as refused:
            return ShareFetchResponse(error_code=refused.code, error_message=refused.message)
        return _answer(fetch, acquisitions, call) if expired or acquisitions.enough else WAIT_ON

    located = [find(fetch.client.broker, tp) for tp in fetch.session.tps]
    keys = tuple(partition.key for partition in located if isinstance(partition, Partition))
    return Wait(keys, fetch.request.max_wait_ms, resume)


def _answer(fetch: Fetch, acquisitions: Acquisitions, call: Call) -> ShareFetchResponse:
    results = acquisitions.by_partition
    topics: dict[bytes, list[PartitionData]] = {}
    for tp in [*results, *(tp for tp in fetch.acked if tp not in results)]:
        acquired = results.get(tp, NOTHING)
        has_news = isinstance(acquired, ErrorCode) or acquired.acquired or tp in fetch.acked
        if fetch.shows_all or has_news:
            topics.setdefault(tp[0], []).append(_partition(fetch.client, tp, acquired, fetch.acked.get(tp)))
    errors = [((topic, row.partition_index), row.error_code) for topic, rows in topics.items() for row in rows]
    return ShareFetchResponse(
        error_code=ErrorCode.NONE,
        acquisition_lock_timeout_ms=fetch.client.hosting.partitions.lock_ms(fetch.client.group),
        responses=[ShareFetchableTopicResponse(topic_id=t, partitions=rows) for t, rows in topics.items()],
        node_endpoints=[
            NodeEndpoint(node_id=b.node_id, **call.endpoint_of(b), rack=b.rack)
            for b in leading_brokers(fetch.client.broker, errors)
        ],
    )


def _partition(
    client: ShareClient, tp: TopicIdPartition, acquired: Acquired | ErrorCode, acked: Acknowledged | None
) -> PartitionData:
    got = NOTHING if isinstance(acquired, ErrorCode) else acquired
    error = acquired if isinstance(acquired, ErrorCode) else ErrorCode.NONE
    leader = leader_elsewhere(client.broker, tp, error)
    in_words = client.broker.profile.share_groups.fetch_explains
    return PartitionData(
        partition_index=tp[1],
        error_code=error,
        acknowledge_error_code=ErrorCode.NONE if acked is None else acked.error,
        acknowledge_error_message=acked.words if acked is not None and in_words else None,
        current_leader=LeaderIdAndEpoch(leader_id=leader.node_id, leader_epoch=leader.epoch),
        records=got.records,
        acquired_records=[
            AcquiredRecords(first_offset=span.first, last_offset=span.last, delivery_count=span.deliveries)
            for span in got.acquired
        ],
    )
