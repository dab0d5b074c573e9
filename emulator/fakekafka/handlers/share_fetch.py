"""ShareFetch, key 78: records for a member of a share group, and its acknowledgements of earlier ones (KIP-932).

Behaviour
* The member's acknowledgements are judged before the request reads, and stored after: it gets records that it releases
  only if it waits for more than there is.
* The session says which partitions are read (`coordinators.share_partitions`); available records are locked for the
  member (`coordinators.share_partitions`).
* If less than `min_bytes` is available, the request waits, up to its time, for records or for locks to end.
* The first answer of a session shows all partitions that were read; later answers only those with news. Partitions that
  gave records go to the end of the session.
* A partition that does not exist fails alone; a topic that does not exist fails the request, once it has read.
* A request that renews locks must not ask for records, or it is refused.

Versions: 1 - 2; renewed locks and exact numbers of records from 2 on; version 0 was the early access of 3.9 and 4.0.
Not done: 4.1 answers a request for no records with special errors.
"""

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from fakekafka.cluster.broker import Broker
from fakekafka.coordinators.share_partitions.delivery import Want
from fakekafka.coordinators.share_partitions.fetching import (
    NOTHING,
    Acquired,
    Acquisitions,
    Limits,
    give,
    rotated,
)
from fakekafka.coordinators.share_partitions.partitions import FENCED, find
from fakekafka.coordinators.share_partitions.requests import (
    Acknowledged,
    ShareClient,
    acknowledging,
    check_ids,
    leader_elsewhere,
    leading_brokers,
)
from fakekafka.coordinators.share_partitions.sessions import FINAL, FIRST, ShareSession
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import WAIT_ON, Call, Wait
from fakekafka.ids import TopicIdPartition
from fakekafka.jvm.chains import id_place_hash, through
from fakekafka.jvm.maps import MapKind
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
RESULTS: Final = (MapKind.JAVA, MapKind.SCALA_2_13_MUTABLE, MapKind.SCALA_2_13_MAP)
"""The maps that partitions pass which were read (ShareFetchUtils, KafkaApis.handleFetchFromShareFetchRequest)."""
ACKNOWLEDGED: Final = (MapKind.SCALA_2_13_MUTABLE,)
"""Where those are that were only acknowledged, and come after the others."""


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
        fetch = _acknowledged(fetch, call)
        call.share.end_session(fetch.client.group, fetch.client.member)
        return _answer(fetch, Acquisitions({}, enough=True), call)
    if fetch.request.is_renew_ack:
        return _answer(_acknowledged(fetch, call), Acquisitions({}, enough=True), call)
    fetch, acquisitions = _exchanged(fetch, call)
    return _answer(fetch, acquisitions, call) if acquisitions.enough else _waiting(fetch)


def _exchanged(fetch: Fetch, call: Call) -> tuple[Fetch, Acquisitions]:
    """Judge the acknowledgements, give records, then store them: the member gets what it releases only if it waits for
    more than there is.
    """
    storing = _acknowledging(fetch, call)
    acquisitions = _give(fetch)
    if not acquisitions.enough and fetch.request.max_wait_ms <= 0:
        acquisitions = _give(fetch, at_last=True)
    fetch = fetch._replace(acked={tp: store() for tp, store in storing.items()})
    if not fetch.acked or acquisitions.enough or not call.profile.share_groups.released_while_waiting:
        return fetch, acquisitions
    return fetch, _give(fetch)


def begin(request: ShareFetchRequest, call: Call) -> Fetch:
    """Check the group's and the member's id, then continue or begin its session. Raises `ApiError`."""
    check_ids(call.broker, request.group_id, request.member_id)
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
        session.add(asked)
        for topic in request.forgotten_topics_data:
            for partition in topic.partitions:
                session.forget((topic.topic_id, partition))
    return Fetch(request, client, session, {}, shows_all=False)


def _acknowledged(fetch: Fetch, call: Call) -> Fetch:
    """The request with the results of its acknowledgements."""
    return fetch._replace(acked={tp: store() for tp, store in _acknowledging(fetch, call).items()})


def _acknowledging(fetch: Fetch, call: Call) -> dict[TopicIdPartition, Callable[[], Acknowledged]]:
    """What stores the acknowledgements of each partition."""
    renews = call.version >= FIRST_WITH_RENEWALS and fetch.request.is_renew_ack
    return {
        tp: acknowledging(fetch.client, tp, row.acknowledgement_batches, renews=renews)
        for topic in fetch.request.topics
        for row in topic.partitions
        for tp in [(topic.topic_id, row.partition_index)]
        if row.acknowledgement_batches
    }


def _give(fetch: Fetch, *, waited: bool = False, at_last: bool = False) -> Acquisitions:
    """Give the records that the partitions of the session have now."""
    request = fetch.request
    want = Want(request.max_records, request.batch_size, request.share_acquire_mode == RECORD_LIMIT)
    limits = Limits(request.max_bytes, request.min_bytes, want)
    forgotten = {tp for tp, said in fetch.acked.items() if said.error in FENCED}  # the next request reads their states
    tps = [tp for tp in rotated(fetch.session.tps, request.share_session_epoch) if tp not in forgotten]
    return give(fetch.client, tps, limits, waits=request.max_wait_ms > 0, waited=waited, at_last=at_last)


def _waiting(fetch: Fetch) -> Wait:
    def resume(call: Call, expired: bool) -> ShareFetchResponse | Wait:
        acquisitions = _give(fetch, waited=True, at_last=expired)
        if not expired and not acquisitions.enough:
            return WAIT_ON
        try:
            return _answer(fetch, acquisitions, call)
        except ApiError as refused:
            return ShareFetchResponse(error_code=refused.code, error_message=refused.message)

    located = [find(fetch.client.broker, tp) for tp in fetch.session.tps]
    keys = tuple(partition.key for partition in located if isinstance(partition, Partition))
    return Wait(keys, fetch.request.max_wait_ms, resume)


def _answer(fetch: Fetch, acquisitions: Acquisitions, call: Call) -> ShareFetchResponse:
    """The answer with what was given. Raises `ApiError` if the session has a topic that does not exist."""
    results, broker = acquisitions.by_partition, fetch.client.broker
    if ErrorCode.UNKNOWN_TOPIC_ID in results.values():  # the real broker trips over the missing name at this point
        raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)
    ordered = through(RESULTS, results, partial(_hash, broker))
    given = [tp for tp in ordered if fetch.shows_all or tp in fetch.session.unshown or _has_news(results[tp])]
    if not fetch.shows_all:
        fetch.session.unshown.difference_update(given)
        fetch.session.move_to_end(tp for tp in given if _has_records(results[tp]))
    topics: dict[bytes, list[PartitionData]] = {}
    for tp in [*given, *through(ACKNOWLEDGED, [tp for tp in fetch.acked if tp not in given], partial(_hash, broker))]:
        row = _partition(fetch.client, tp, results.get(tp, NOTHING), fetch.acked.get(tp))
        topics.setdefault(tp[0], []).append(row)
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


def _has_news(acquired: Acquired | ErrorCode) -> bool:
    return isinstance(acquired, ErrorCode) or _has_records(acquired)


def _has_records(acquired: Acquired | ErrorCode) -> bool:
    return not isinstance(acquired, ErrorCode) and bool(acquired.acquired)


def _hash(broker: Broker, tp: TopicIdPartition) -> int:
    """The hash code of a partition with its topic's id and name."""
    topic = broker.cluster.topics_by_id.get(tp[0])
    return id_place_hash(tp[0], ("" if topic is None else topic.name, tp[1]))


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
