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

from collections.abc import Iterable
from typing import Final, assert_never

from fakekafka.cluster.broker import Broker
from fakekafka.cluster.delayed_fetch import DelayedFetch
from fakekafka.cluster.fetch_sessions import (
    NO_SESSION,
    CachedPartition,
    FetchSession,
    key_of,
    next_epoch,
)
from fakekafka.cluster.leadership import note_fetch
from fakekafka.cluster.reading import FetchFails, Read, ReadData, Wanted, follows, read_all
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
from fakekafka.handlers.fetch_asked import (
    FIRST_WITH_TOPIC_IDS,
    READ_COMMITTED,
    READ_UNCOMMITTED,
    Fetch,
    context_of,
    fetch_of,
    listed,
)
from fakekafka.ids import ZERO_UUID
from fakekafka.pieces import PER_STEP, Stepwise
from fakekafka.records.down_convert import ConversionBreaksOff
from fakekafka.wire.apis.fetch import FetchableTopicResponse, FetchRequest, FetchResponse, PartitionData

FIRST_THAT_READS_ZSTD: Final = 10
"""KIP-110. Clients of this version read every format, too."""
FIRST_WITH_DIVERGING_EPOCHS: Final = 12
"""KIP-595."""
FIRST_WITH_ENDPOINTS: Final = 16
"""KIP-951."""


def handle(request: FetchRequest, call: Call) -> Result:
    """Answer with what the partitions hold, as soon as there is enough of it."""
    known_isolation = request.isolation_level in (READ_UNCOMMITTED, READ_COMMITTED)
    if not known_isolation and call.profile.fetch.unknown_isolation == "close":
        return Outcome.CLOSE
    try:
        context = context_of(request, call)
        if isinstance(context, ErrorCode):
            return FetchResponse(error_code=context, session_id=NO_SESSION, responses=[])
        fetch = fetch_of(request, context, call)
        if len(context.wanted) > PER_STEP:
            return in_steps(_in_steps(fetch, call))
        if call.broker.authorizer is None:  # `_read`, written out for speed
            reads = read_all(call.broker, context.wanted, fetch.reader, fetch.max_bytes)
        else:
            reads = _allowed(fetch, call)
    except FetchFails:
        return _failed(request, call)
    return _settled(fetch, reads, call)


def _in_steps(fetch: Fetch, call: Call) -> Stepwise[Result]:
    """The rest of `handle`, for very many partitions: they are read one after the other, as by a real broker."""
    try:
        reads = yield from _read_in_steps(fetch, call)
    except FetchFails:
        return _failed(fetch.request, call)
    return _settled(fetch, reads, call)


def _settled(fetch: Fetch, reads: list[Read], call: Call) -> Result:
    """The answer if there is enough, otherwise the wait for more."""
    request = fetch.request
    known_isolation = request.isolation_level in (READ_UNCOMMITTED, READ_COMMITTED)
    if not (known_isolation or all(is_untried(read, call.broker) for read in reads)):
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
            return _allowed(fetch, call)
        return read_all(call.broker, fetch.context.wanted, fetch.reader, fetch.max_bytes)
    except FetchFails:
        return None


def _allowed(fetch: Fetch, call: Call) -> list[Read]:
    """What the partitions hold that the client may read. Raises `FetchFails`."""
    from fakekafka.handlers.rights.records import allowed_reads  # few brokers have an authorizer

    return allowed_reads(call, fetch.context.wanted, fetch.reader, fetch.max_bytes)


def _read_in_steps(fetch: Fetch, call: Call) -> Stepwise[list[Read]]:
    """What the partitions hold, some of them in each step. Raises `FetchFails`."""
    if call.broker.authorizer is not None:
        return _allowed(fetch, call)
    wanted, got = list(fetch.context.wanted), 0
    left = fetch.max_bytes
    reads: list[Read] = []
    for n in range(0, len(wanted), PER_STEP):
        some = read_all(call.broker, wanted[n : n + PER_STEP], fetch.reader, left, has_some=got > 0)
        got += sum(read.result.size for read in some if isinstance(read.result, ReadData))
        left = max(0, fetch.max_bytes - got)
        reads += some
        yield
    return reads


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
            rows = by_topic([Answer(w, None, refusal(w), 0) for w in listed(request, None, call)], call)
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
