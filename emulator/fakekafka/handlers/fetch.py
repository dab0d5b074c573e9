"""Fetch, key 1: read record sets.

Versions: 0 - 18.

Behaviour
* Partitions are read in the order of the request, or of the session, from one budget of bytes (`cluster.reading`).
* If there is too little to read, the request waits for more, for a change, or until its time is up
  (`cluster.delayed_fetch`).
* Sessions (KIP-227): incremental answers leave out partitions without news (`cluster.fetch_sessions`).
* Records are the stored buffers. Versions 0 to 3 may get them converted to older formats (`cluster.conversion`).
* Each error is in the row of its partition. An exception that a real broker does not catch fails the whole request.

Version notes
* 0, 1: format 0 only; 2, 3: formats 0 and 1; 4 and later: whatever is stored.
* 3: whole units, and a limit for the whole answer (KIP-74). In lower versions a unit may be cut, and there is no such
  limit.
* 4: isolation level (KIP-98). 5: log start offset. 7: sessions. 9: leader epochs (KIP-320). 10: zstd (KIP-110).
* 11: any replica may serve (KIP-392). 12: diverging epochs (KIP-595). 13: topic ids (KIP-516).
* 15: followers name themselves in `replica_state` (KIP-903). 16: the current leader and its address (KIP-951).

Not done: tiered storage (error 109).
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final, NamedTuple, assert_never

from fakekafka.cluster.broker import Broker
from fakekafka.cluster.delayed_fetch import DelayedFetch
from fakekafka.cluster.fetch_sessions import (
    NO_SESSION,
    CachedPartition,
    Context,
    FetchSession,
    Key,
    key_of,
    next_epoch,
)
from fakekafka.cluster.leadership import note_fetch
from fakekafka.cluster.reading import FetchFails, Read, ReadData, Reader, Wanted, follows, read_all
from fakekafka.cluster.untried_read import UntriedRead
from fakekafka.errors import ErrorCode, MalformedBytes
from fakekafka.handlers.call import WAIT_ON, Call, Outcome, Result, Wait, in_steps
from fakekafka.handlers.fetch_answer import (
    Answer,
    add_endpoints,
    answer_each,
    bill,
    by_topic,
    convert,
    cut_to_one_format,
    is_untried,
    refused,
)
from fakekafka.ids import ZERO_UUID, BrokerId, Offset, Uuid
from fakekafka.pieces import Stepwise
from fakekafka.records.down_convert import ConversionBreaksOff
from fakekafka.state.topics import Topic
from fakekafka.storage.partition import Partition
from fakekafka.wire.apis.fetch import FetchableTopicResponse, FetchRequest, FetchResponse, PartitionData

READ_UNCOMMITTED, READ_COMMITTED = 0, 1
DEBUGGING_CONSUMER: Final = -2
"""The replica id of a consumer that may read from any replica, in every version."""

FIRST_WITH_WHOLE_UNITS: Final = 3
"""KIP-74."""
FIRST_THAT_READS_ZSTD: Final = 10
"""KIP-110. Clients of this version read every format, too."""
FIRST_WITH_RACK: Final = 11
"""KIP-392."""
FIRST_WITH_DIVERGING_EPOCHS: Final = 12
"""KIP-595."""
FIRST_WITH_TOPIC_IDS: Final = 13
"""KIP-516."""
FIRST_WITH_REPLICA_STATE: Final = 15
"""KIP-903."""
FIRST_WITH_ENDPOINTS: Final = 16
"""KIP-951."""


class Fetch(NamedTuple):
    """One request being handled."""

    request: FetchRequest
    context: Context
    reader: Reader
    max_bytes: int
    min_bytes: int


def handle(request: FetchRequest, call: Call) -> Result:
    """Answer with what the partitions hold, as soon as there is enough of it."""
    known_isolation = request.isolation_level in (READ_UNCOMMITTED, READ_COMMITTED)
    if not known_isolation and call.profile.fetch.unknown_isolation == "close":
        return Outcome.CLOSE
    try:
        context = _context(request, call)
    except FetchFails:
        return _failed(request, call)
    if isinstance(context, ErrorCode):
        return FetchResponse(error_code=context, session_id=NO_SESSION, responses=[])
    fetch = _fetch(request, context, call)
    reads = _read(fetch, call)
    if reads is None or not (known_isolation or all(is_untried(read, call.broker) for read in reads)):
        return _failed(request, call)
    try:
        if request.max_wait_ms <= 0 or _is_enough(reads, fetch.min_bytes, call.broker):
            result: Result = _answer(fetch, reads, call)
        else:
            delayed = DelayedFetch(call.broker, reads, fetch.reader, fetch.min_bytes)
            fetch = _late(fetch)
            result = _answer_now(fetch, call) if delayed.is_complete() else _waiting(fetch, delayed, reads, call)
    except FetchFails as fails:
        return _failed(request, call, fails.error)
    if fetch.reader.is_follower:
        _note_progress(fetch, reads, call.broker)  # only now: the answer has the previous high watermark
    return result


def _note_progress(fetch: Fetch, reads: list[Read], broker: Broker) -> None:
    """Note that a follower that asks for an offset has everything before it."""
    replica_id = fetch.reader.replica_id
    for wanted, partition, result in reads:
        if partition is None or not isinstance(result, ReadData) or not follows(broker, partition, replica_id):
            continue
        joins = note_fetch(broker.cluster, partition, replica_id, wanted.asked.fetch_offset)
        if joins and partition.state.adding:
            from fakekafka.admin.reassignments import complete_if_in_sync  # few brokers ever need it

            complete_if_in_sync(broker, partition.topic, partition.state)


def _read(fetch: Fetch, call: Call) -> list[Read] | None:
    """What the partitions hold now; None if the whole request fails."""
    try:
        if call.broker.authorizer is not None:
            from fakekafka.handlers.rights.records import allowed_reads  # few brokers have one

            return allowed_reads(call, fetch.context.wanted, fetch.reader, fetch.max_bytes)
        return read_all(call.broker, fetch.context.wanted, fetch.reader, fetch.max_bytes)
    except FetchFails:
        return None


def _waiting(fetch: Fetch, delayed: DelayedFetch, reads: list[Read], call: Call) -> Wait:
    """The wait of a fetch that has read this. What was not tried then is not tried later, either."""
    untried: list[Read] = []
    for read in reads:
        if not isinstance(read.result, ReadData) and is_untried(read, call.broker):
            untried.append(UntriedRead(*read))
    if untried:
        tried = [read.wanted for read in reads if isinstance(read.result, ReadData)]  # others are not waited for
        fetch = fetch._replace(context=fetch.context._replace(wanted=tried))

    def resume(call: Call, expired: bool) -> Result:
        if not expired and not delayed.is_complete():
            return WAIT_ON
        try:  # `_answer_now`, written out for speed
            reads = _read(fetch, call)
            if reads is None:
                return _failed(fetch.request, call)
            if delayed.has_lost:
                reads = delayed.noting_lost(reads)
            return _answer(fetch, reads + untried, call)
        except FetchFails:  # nobody catches it where waiting requests are answered
            return Outcome.HANG

    return Wait(delayed.keys, fetch.request.max_wait_ms, resume)


def _late(fetch: Fetch) -> Fetch:
    """A fetch once it was to wait."""
    return fetch._replace(reader=fetch.reader._replace(is_late=True)) if fetch.reader.is_follower else fetch


def _answer_now(fetch: Fetch, call: Call) -> Result:
    """The answer to a request that was to wait, from what is read now. Raises `FetchFails`."""
    reads = _read(fetch, call)
    return _failed(fetch.request, call) if reads is None else _answer(fetch, reads, call)


# ---- what is asked


def _context(request: FetchRequest, call: Call) -> Context | ErrorCode:
    """The partitions to read, and the session they are from. Raises `FetchFails`."""
    by_id = call.version >= FIRST_WITH_TOPIC_IDS
    topics = call.broker.cluster.topic_ids_known_to(call.broker.node_id) if by_id else None
    wanted = _listed(request, topics, call)
    if request.session_id == NO_SESSION and request.session_epoch == -1:
        return Context(wanted)
    forgotten: Iterable[Key] = (
        (_id_in_session(topic.topic_id) if by_id else topic.topic, index)
        for topic in request.forgotten_topics_data
        for index in topic.partitions
    )
    sessions = call.broker.fetch_sessions
    return sessions.open(request.session_id, request.session_epoch, wanted, forgotten, topics, call.now)


def _id_in_session(topic_id: Uuid) -> Uuid | None:
    return None if topic_id == ZERO_UUID else topic_id


def _listed(request: FetchRequest, topics: Mapping[Uuid, Topic] | None, call: Call) -> list[Wanted]:
    """The partitions that the request lists. One that is listed twice keeps its first place, with the fields of
    its last entry. `topics`: the topics that the broker knows, by id, if the request names them by id.
    """
    make = tuple.__new__  # much faster than calling the class
    if topics is not None:
        named = [
            (topics[topic.topic_id].name if topic.topic_id in topics else None, topic.topic_id, topic.partitions)
            for topic in request.topics
        ]
    else:
        named = [(topic.topic, ZERO_UUID, topic.partitions) for topic in request.topics]
    if call.profile.fetch.duplicate_partition == "each":
        return [make(Wanted, (name, id, asked)) for name, id, partitions in named for asked in partitions]
    once = {
        (name or id, asked.partition): make(Wanted, (name, id, asked))
        for name, id, partitions in named
        for asked in partitions
    }
    return list(once.values())


def _fetch(request: FetchRequest, context: Context, call: Call) -> Fetch:
    broker, behaviour = call.broker, call.profile.fetch
    replica_id = request.replica_id if call.version < FIRST_WITH_REPLICA_STATE else request.replica_state.replica_id
    reader = Reader(
        replica_id,
        read_committed=request.isolation_level == READ_COMMITTED and replica_id < 0,
        any_replica=(call.version >= FIRST_WITH_RACK and replica_id < 0)
        if behaviour.followers_may_serve
        else replica_id == DEBUGGING_CONSUMER,
        whole_units=call.version >= FIRST_WITH_WHOLE_UNITS,
        prefer=_preference(request.rack_id, broker) if request.rack_id and replica_id < 0 else None,
    )
    max_bytes, min_bytes = request.max_bytes, request.min_bytes
    if behaviour.broker_limits_response:
        max_bytes = min(max_bytes, broker.config.int("fetch.max.bytes"))
        min_bytes = min(min_bytes, max_bytes)
    has_quotas = broker.cluster.settings.quotas or broker.has_default_quotas
    if has_quotas and call.profile.quotas.bounds_fetches and replica_id < 0:
        from fakekafka.handlers.quotas import bytes_of_quota  # few clusters have quotas

        max_bytes = min(max_bytes, bytes_of_quota(call))
        min_bytes = min(min_bytes, max_bytes)
    return Fetch(request, context, reader, max_bytes, min_bytes)


def _preference(rack: str, broker: Broker) -> "Callable[[Partition, Offset], BrokerId | None] | None":
    """The function that chooses a replica for a consumer in `rack`; None if the broker chooses none."""
    if broker.profile.broker_configs.get("replica.selector.class") is None:
        return None
    from fakekafka.cluster.rack_selection import replica_in_rack, selects_by_rack  # few brokers select by rack

    return partial(replica_in_rack, broker, rack) if selects_by_rack(broker) else None


def _is_enough(reads: list[Read], min_bytes: int, broker: Broker) -> bool:
    """Whether the fetch is answered at once: it has enough, an error, another epoch, or nothing to wait for."""
    size = unknown = 0
    for read in reads:
        result = read.result
        if not isinstance(result, ReadData):
            if not is_untried(read, broker):
                return True
            unknown += 1
        elif result.diverging is not None or result.preferred is not None:
            return True
        else:
            size += result.size
    return size >= min_bytes or unknown == len(reads)


# ---- what is answered


def _answer(fetch: Fetch, reads: list[Read], call: Call) -> Result:
    """The answer. Raises `FetchFails`."""
    session, is_follower = fetch.context.session, fetch.reader.is_follower
    read_committed = fetch.request.isolation_level == READ_COMMITTED
    if call.client_id is None and call.profile.fetch.needs_client_id:
        return _failed(fetch.request, call)
    if session is None:
        answers = answer_each(reads, read_committed, call, is_follower=is_follower)
        session_id = _new_session(fetch, answers, call) if fetch.context.wants_session else NO_SESSION
    else:
        session_id = session.id
        if session.epoch != next_epoch(fetch.request.session_epoch):  # used again while this request waited
            error = ErrorCode.INVALID_FETCH_SESSION_EPOCH
            return FetchResponse(error_code=error, session_id=session_id, responses=[])
        if call.throttle_ms or call.broker.cluster.settings.quotas or call.broker.has_default_quotas:
            call.undo = session.undo()
        idle_apart = session.without_idle(reads)
        if call.version < FIRST_WITH_DIVERGING_EPOCHS:
            _check_epochs(idle_apart)
        answers = _news(session, answer_each(idle_apart, read_committed, call, is_follower=is_follower), call)
    if call.profile.fetch.formats_in_slice == "one":
        answers = [cut_to_one_format(answer) for answer in answers]
    if call.version < FIRST_THAT_READS_ZSTD:
        return in_steps(_converted(fetch, answers, session_id, call))
    bill(answers, call)
    response = FetchResponse(session_id=session_id, responses=by_topic(answers, call))
    if call.version >= FIRST_WITH_ENDPOINTS:
        add_endpoints(response, answers, is_follower, call)
    return response


def _check_epochs(reads: Iterable[Read]) -> None:
    """Raises `FetchFails` with error 35 if a session that was made in a newer version has a diverging epoch to tell,
    for which the version of the answer has no field. Recorded from 2.8.2: random_fetches.
    """
    if any(isinstance(read.result, ReadData) and read.result.diverging is not None for read in reads):
        raise FetchFails(ErrorCode.UNSUPPORTED_VERSION)


def _converted(fetch: Fetch, answers: list[Answer], session_id: int, call: Call) -> Stepwise[Result]:
    """The response of a version that does not read every format. A long conversion pauses."""
    converted = []
    try:
        for answer in answers:
            converted.append((yield from convert(answer, fetch.reader.is_follower, call)))
    except ConversionBreaksOff:
        return Outcome.CLOSE
    except MalformedBytes:
        return _failed(fetch.request, call)
    return FetchResponse(session_id=session_id, responses=by_topic(converted, call))


# ---- sessions


def _news(session: FetchSession, answers: list[Answer], call: Call) -> list[Answer]:
    """The answers that are news to the session."""
    every_answered_moves = call.profile.fetch.session_rotation == "answered"
    news = []
    for answer in answers:
        data, key = answer.data, key_of(answer.wanted)
        cached = session.partitions.get(key)
        if cached is None:
            continue  # removed by a request on another connection
        moved = cached.is_news(data.high_watermark, data.log_start_offset)
        if (
            moved
            or answer.size
            or data.error_code
            or data.is_set("diverging_epoch")
            or data.preferred_read_replica >= 0
        ):
            news.append(answer)
            if every_answered_moves or answer.size:
                session.move_to_end(key)
    return news


def _new_session(fetch: Fetch, answers: list[Answer], call: Call) -> int:
    """Create a session with the partitions of a full request, in the order of its answer. Returns its id."""
    partitions = [CachedPartition(a.wanted, a.data.high_watermark, a.data.log_start_offset) for a in answers]
    by_id = call.version >= FIRST_WITH_TOPIC_IDS
    session_id, call.undo = call.broker.fetch_sessions.create(partitions, fetch.reader.is_follower, by_id, call.now)
    return session_id


# ---- failures


def _failed(request: FetchRequest, call: Call, error: ErrorCode = ErrorCode.UNKNOWN_SERVER_ERROR) -> FetchResponse:
    """The answer to a request that failed as a whole: the error at the top and at each partition; from version 13 on,
    only at the top.
    """
    behaviour = call.profile.fetch
    if behaviour.request_error_layout == "version 0":
        call.answer_version = 0
    if call.version >= FIRST_WITH_TOPIC_IDS:
        return FetchResponse(error_code=error, session_id=request.session_id, responses=[])
    null_records = behaviour.request_error_records == "null"

    def refusal(wanted: Wanted) -> PartitionData:
        return refused(wanted, error, call, null_records)

    match behaviour.request_error_kept:
        case "as a map":
            rows = by_topic([Answer(w, None, refusal(w), 0) for w in _listed(request, None, call)], call)
        case "as a list":
            rows = [
                FetchableTopicResponse(
                    topic=topic.topic,
                    partitions=[refusal(Wanted(topic.topic, ZERO_UUID, asked)) for asked in topic.partitions],
                )
                for topic in request.topics
            ]
        case how:
            assert_never(how)
    return FetchResponse(error_code=error, session_id=request.session_id, responses=rows)
