"""ShareFetch, key 78: records for a member of a share group, and its acknowledgements of earlier ones (KIP-932).

Behaviour
* The member's acknowledgements are processed meanwhile: it gets records that it releases only if there is nothing else.
* The session says which partitions are read (`coordinators.share_partitions`); available records are locked for the
member
  (`coordinators.share_partitions`).
* If less than `min_bytes` is available, the request waits, up to its time, for records or for locks to end.
* The first answer of a session shows all partitions that were read; later ones those with news.
* A request that renews locks must not ask for records, or it is refused.

Versions: 1 - 2; renewed locks and exact numbers of records from 2 on; version 0 was the early access of 3.9 and 4.0.
Not done: 4.1 answers a request for no records with errors of its own.
"""

from typing import Final, NamedTuple

from fakekafka.coordinators.share_partitions.delivery import Want
from fakekafka.coordinators.share_partitions.fetching import NOTHING, Gifts, Given, Limits, any_came_back, give, rotated
from fakekafka.coordinators.share_partitions.partitions import find
from fakekafka.coordinators.share_partitions.requests import Said as Acked
from fakekafka.coordinators.share_partitions.requests import (
    Who,
    acknowledge,
    check_member,
    leader_elsewhere,
    leading_brokers,
)
from fakekafka.coordinators.share_partitions.sessions import FINAL, FIRST, ShareSession, Spot
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call, Wait
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
    who: Who
    session: ShareSession
    acked: dict[Spot, Acked]
    shows_all: bool


def handle(request: ShareFetchRequest, call: Call) -> ShareFetchResponse | Wait:
    """Process the member's acknowledgements, then give it the available records."""
    if not call.groups.share_groups.is_on:
        return ShareFetchResponse(error_code=ErrorCode.UNSUPPORTED_VERSION)
    try:
        check_member(call.broker, request.member_id)
        return _answered(_begun(request, call), call)
    except ApiError as refused:
        return ShareFetchResponse(error_code=refused.code, error_message=refused.message)


def _answered(fetch: Fetch, call: Call) -> ShareFetchResponse | Wait:
    """Answer the request. Raises `ApiError`."""
    if fetch.request.share_acquire_mode not in MODES:
        raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)
    if fetch.request.share_session_epoch == FINAL:
        fetch = _acknowledged(fetch, call)
        call.share.end_session(fetch.who.group, fetch.who.member)
        return _answer(fetch, Gifts({}, enough=True), call)
    fetch, gifts = _exchanged(fetch, call)
    if not gifts.enough and (fetch.request.is_renew_ack or fetch.request.max_wait_ms <= 0):
        gifts = _give(fetch, waited=bool(fetch.acked), at_last=True)
    return _answer(fetch, gifts, call) if gifts.enough else _waiting(fetch)


def _exchanged(fetch: Fetch, call: Call) -> tuple[Fetch, Gifts]:
    """Give records and process acknowledgements: the member gets what it releases only if there is nothing else, or not
    at all.
    """
    if not call.profile.share_groups.released_while_waiting:
        had_some = any_came_back(fetch.who, fetch.session.spots)
        fetch = _acknowledged(fetch, call)
        return fetch, _give(fetch, waited=bool(fetch.acked) and not had_some)
    gifts = _give(fetch)
    fetch = _acknowledged(fetch, call)
    return fetch, _give(fetch) if fetch.acked and not gifts.enough else gifts


def _begun(request: ShareFetchRequest, call: Call) -> Fetch:
    """Continue, begin or end the session. Raises `ApiError`."""
    wants = request.max_wait_ms, request.min_bytes, request.max_bytes, request.max_records
    if request.is_renew_ack and any(wants):
        raise ApiError(ErrorCode.INVALID_REQUEST)
    who = Who(call.share, request.group_id or "", request.member_id or "")
    sessions, epoch = call.share.sessions, request.share_session_epoch
    asked = [(topic.topic_id, row.partition_index) for topic in request.topics for row in topic.partitions]
    has_acks = any(row.acknowledgement_batches for topic in request.topics for row in topic.partitions)
    if epoch == FIRST:
        if has_acks:
            raise ApiError(ErrorCode.INVALID_REQUEST)
        return Fetch(request, who, sessions.open(who.group, who.member, asked, call.connection_id), {}, shows_all=True)
    if epoch == FINAL:
        session = sessions.check(who.group, who.member)
    else:
        session = sessions.go_on(who.group, who.member, epoch)
        session.spots.update(dict.fromkeys(asked))
        for topic in request.forgotten_topics_data:
            for partition in topic.partitions:
                session.spots.pop((topic.topic_id, partition), None)
    return Fetch(request, who, session, {}, shows_all=False)


def _acknowledged(fetch: Fetch, call: Call) -> Fetch:
    """The answer with the results of the acknowledgements."""
    renews = call.version >= FIRST_WITH_RENEWALS and fetch.request.is_renew_ack
    acked = {
        spot: acknowledge(fetch.who, spot, row.acknowledgement_batches, renews=renews)
        for topic in fetch.request.topics
        for row in topic.partitions
        for spot in [(topic.topic_id, row.partition_index)]
        if row.acknowledgement_batches
    }
    return fetch._replace(acked=acked)


def _give(fetch: Fetch, *, waited: bool = False, at_last: bool = False) -> Gifts:
    """Give what the partitions of the session have now."""
    request = fetch.request
    want = Want(request.max_records, request.batch_size, request.share_acquire_mode == RECORD_LIMIT)
    limits = Limits(request.max_bytes, request.min_bytes, want)
    spots = rotated(fetch.session.spots, request.share_session_epoch)
    return give(fetch.who, spots, limits, waited=waited, at_last=at_last)


def _waiting(fetch: Fetch) -> Wait:
    def resume(call: Call, expired: bool) -> ShareFetchResponse | Wait:
        try:
            gifts = _give(fetch, waited=True, at_last=expired)
        except ApiError as refused:
            return ShareFetchResponse(error_code=refused.code, error_message=refused.message)
        return _answer(fetch, gifts, call) if expired or gifts.enough else wait

    found = [find(fetch.who.broker, spot) for spot in fetch.session.spots]
    keys = tuple(partition.key for partition in found if isinstance(partition, Partition))
    wait = Wait(keys, fetch.request.max_wait_ms, resume)
    return wait


def _answer(fetch: Fetch, gifts: Gifts, call: Call) -> ShareFetchResponse:
    given = gifts.by_spot
    topics: dict[bytes, list[PartitionData]] = {}
    for spot in [*given, *(spot for spot in fetch.acked if spot not in given)]:
        found = given.get(spot, NOTHING)
        has_news = isinstance(found, ErrorCode) or found.acquired or spot in fetch.acked
        if fetch.shows_all or has_news:
            topics.setdefault(spot[0], []).append(_partition(fetch.who, spot, found, fetch.acked.get(spot)))
    errors = [((topic, row.partition_index), row.error_code) for topic, rows in topics.items() for row in rows]
    return ShareFetchResponse(
        error_code=ErrorCode.NONE,
        acquisition_lock_timeout_ms=fetch.who.hosting.partitions.lock_ms(fetch.who.group),
        responses=[ShareFetchableTopicResponse(topic_id=t, partitions=rows) for t, rows in topics.items()],
        node_endpoints=[
            NodeEndpoint(node_id=b.node_id, **call.endpoint_of(b), rack=b.rack)
            for b in leading_brokers(fetch.who.broker, errors)
        ],
    )


def _partition(who: Who, spot: Spot, found: Given | ErrorCode, acked: Acked | None) -> PartitionData:
    given = NOTHING if isinstance(found, ErrorCode) else found
    error = found if isinstance(found, ErrorCode) else ErrorCode.NONE
    leader = leader_elsewhere(who.broker, spot, error)
    in_words = who.broker.profile.share_groups.fetch_explains
    return PartitionData(
        partition_index=spot[1],
        error_code=error,
        acknowledge_error_code=ErrorCode.NONE if acked is None else acked.error,
        acknowledge_error_message=acked.words if acked is not None and in_words else None,
        current_leader=LeaderIdAndEpoch(leader_id=leader.node_id, leader_epoch=leader.epoch),
        records=given.records,
        acquired_records=[
            AcquiredRecords(first_offset=span.first, last_offset=span.last, delivery_count=span.deliveries)
            for span in given.acquired
        ],
    )
