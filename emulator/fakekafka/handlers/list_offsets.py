"""ListOffsets, key 2: look up offsets by time, or the ends of a log.

Versions: 0 - 11.

Behaviour
* Version 0 lists segments by the time of their files. The others give one offset: an end of the log, or the first
  record at a time or after it, as far as the reader may see.
* A consumer (replica id -1) sees up to the high watermark, or the last stable offset; others see the log's end.
* Special times that a release or version does not know are refused or taken for times, depending on the release.

Version notes
* 2: isolation level (KIP-98). 4: leader epochs (KIP-320).
* 7, 8, 9, 11: special times -3, -4, -5, -6 (KIP-734, KIP-405, KIP-1005, KIP-1023).

Not done: tiered storage, so -4 is -2, and -5 and -6 find nothing; OFFSET_NOT_AVAILABLE after an election (KIP-207),
which needs a high watermark that lags behind.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple, assert_never

from fakekafka.aside import aside
from fakekafka.cluster.reading import locate
from fakekafka.errors import ErrorCode, MalformedBytes
from fakekafka.handlers.as_map import as_map, count_named
from fakekafka.handlers.call import Call, Outcome, Result, stepwise
from fakekafka.ids import (
    NO_EPOCH,
    NO_OFFSET,
    NO_TIMESTAMP,
    LeaderEpoch,
    Offset,
    TopicName,
)
from fakekafka.log.offset_lookup import (
    noted_max_timestamp,
    offset_for_timestamp,
    offsets_before,
    record_of_max_timestamp,
)
from fakekafka.log.segment import FoundOffset
from fakekafka.pieces import Stepwise, groups_in_turn
from fakekafka.storage.partition import Partition
from fakekafka.wire.apis.list_offsets import (
    ListOffsetsPartition,
    ListOffsetsPartitionResponse,
    ListOffsetsRequest,
    ListOffsetsResponse,
    ListOffsetsTopicResponse,
)

LATEST: Final = -1
EARLIEST: Final = -2
LARGEST: Final = -3
EARLIEST_LOCAL: Final = -4
FIRST_OF_ONE_OFFSET: Final = 1
"""KIP-79; in version 0, clients ask for the starts of segments, up to the number that they want."""
FIRST_VERSION: Final = {LATEST: 1, EARLIEST: 1, LARGEST: 7, EARLIEST_LOCAL: 8, -5: 9, -6: 11}
"""The version that brought each special time."""
CONSUMER: Final = -1
DEBUGGING_CONSUMER: Final = -2
READ_COMMITTED: Final = 1
ISOLATION_LEVELS: Final = (0, READ_COMMITTED)
NOT_FOUND: Final = FoundOffset(NO_TIMESTAMP, NO_OFFSET, NO_EPOCH)


class Question(NamedTuple):
    """One entry of the request."""

    topic: TopicName
    asked: ListOffsetsPartition
    is_duplicate: bool
    """Whether the request asks for the partition more than once."""


@stepwise
def handle(request: ListOffsetsRequest, call: Call) -> Stepwise[Result]:
    """Answer the offsets of every requested partition."""
    answer = _segments if call.version < FIRST_OF_ONE_OFFSET else _offset
    if request.isolation_level not in ISOLATION_LEVELS:
        match call.profile.list_offsets.unknown_isolation:
            case "close":
                return Outcome.CLOSE
            case "error for all":
                answer = answer if call.version < FIRST_OF_ONE_OFFSET else _failed
            case "error":
                pass  # each partition has the error
            case rule:
                assert_never(rule)
    call.refused_as_a_whole = answer is _failed
    as_asked, size = call.refused_as_a_whole, count_named(request.topics)
    questions = yield from aside(lambda: _questions(request, call, as_asked), size)
    answers = yield from groups_in_turn(lambda _, question: answer(question, request, call), questions)
    return (yield from aside(lambda: _response(answers), size))


def _response(answers: Iterable[tuple[TopicName, list[ListOffsetsPartitionResponse]]]) -> ListOffsetsResponse:
    return ListOffsetsResponse(
        topics=[ListOffsetsTopicResponse(name=name, partitions=partitions) for name, partitions in answers]
    )


def _questions(request: ListOffsetsRequest, call: Call, as_asked: bool) -> list[tuple[TopicName, list[Question]]]:
    """The questions by topic, as the request has them or as the release keeps them."""
    times = Counter((topic.name, asked.partition_index) for topic in request.topics for asked in topic.partitions)
    topics = [
        (topic.name, [Question(topic.name, p, times[topic.name, p.partition_index] > 1) for p in topic.partitions])
        for topic in request.topics
    ]
    if as_asked or call.profile.list_offsets.request_kept == "as a list":
        return topics
    return as_map(topics, lambda question: question.asked.partition_index)


def _partition(question: Question, request: ListOffsetsRequest, call: Call) -> Partition | ErrorCode:
    asked = question.asked
    any_replica = request.replica_id == DEBUGGING_CONSUMER
    return locate(call.broker, question.topic, asked.partition_index, asked.current_leader_epoch, any_replica)


# ---- version 0


def _segments(question: Question, request: ListOffsetsRequest, call: Call) -> ListOffsetsPartitionResponse:
    asked, rules = question.asked, call.profile.log
    if asked.timestamp < EARLIEST and call.profile.list_offsets.special_times_checked:
        return _old_error(asked, ErrorCode.UNSUPPORTED_VERSION)
    partition = _partition(question, request, call)
    if isinstance(partition, ErrorCode):
        return _old_error(asked, partition)
    if asked.max_num_offsets < 0:
        return _old_error(asked, ErrorCode.UNKNOWN_SERVER_ERROR)
    offsets = offsets_before(partition.log, rules, asked.timestamp, asked.max_num_offsets, call.now)
    end = partition.high_watermark
    if request.replica_id == CONSUMER and any(offset > end for offset in offsets):
        offsets = [end, *(offset for offset in offsets if offset <= end)]
    return ListOffsetsPartitionResponse(partition_index=asked.partition_index, old_style_offsets=offsets)


def _old_error(asked: ListOffsetsPartition, error: ErrorCode) -> ListOffsetsPartitionResponse:
    return ListOffsetsPartitionResponse(partition_index=asked.partition_index, error_code=error, old_style_offsets=[])


# ---- later versions


def _offset(question: Question, request: ListOffsetsRequest, call: Call) -> ListOffsetsPartitionResponse:
    asked = question.asked
    if question.is_duplicate:
        return _answer(asked, ErrorCode.INVALID_REQUEST)
    if _is_refused(asked.timestamp, call):
        return _answer(asked, ErrorCode.UNSUPPORTED_VERSION)
    if request.replica_id == CONSUMER and request.isolation_level not in ISOLATION_LEVELS:
        return _answer(asked, ErrorCode.UNKNOWN_SERVER_ERROR)
    partition = _partition(question, request, call)
    if isinstance(partition, ErrorCode):
        return _answer(asked, partition)
    answers = call.profile.list_offsets.format_0_answers
    if partition.log.config.message_format == 0 and asked.timestamp not in answers:
        return _answer(asked, ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT)
    try:
        end = _end(partition, request, asked.timestamp, call)
        resolved = _resolved(partition, asked.timestamp, end, call)
    except MalformedBytes:
        return _answer(asked, ErrorCode.UNKNOWN_SERVER_ERROR)
    except OSError as error:
        return _answer(asked, partition.log.unreadable(error))
    shows_epoch = call.profile.list_offsets.leader_epochs
    return _answer(asked, ErrorCode.NONE, resolved if shows_epoch else resolved._replace(leader_epoch=NO_EPOCH))


def _failed(question: Question, request: ListOffsetsRequest, call: Call) -> ListOffsetsPartitionResponse:
    """The answer to a request that failed as a whole."""
    return _answer(question.asked, ErrorCode.UNKNOWN_SERVER_ERROR)


def _answer(
    asked: ListOffsetsPartition, error: ErrorCode, resolved: FoundOffset = NOT_FOUND
) -> ListOffsetsPartitionResponse:
    return ListOffsetsPartitionResponse(
        partition_index=asked.partition_index,
        error_code=error,
        timestamp=resolved.timestamp,
        offset=resolved.offset,
        leader_epoch=resolved.leader_epoch,
    )


def _is_refused(timestamp: int, call: Call) -> bool:
    """Whether the time is a special one that the release or the version does not know and therefore refuses."""
    behaviour = call.profile.list_offsets
    if timestamp >= 0 or not behaviour.special_times_checked:
        return False
    return timestamp < behaviour.newest_special_time or call.version < FIRST_VERSION[timestamp]


def _end(partition: Partition, request: ListOffsetsRequest, timestamp: int, call: Call) -> Offset:
    """The offset up to which the reader may see."""
    if request.replica_id != CONSUMER:
        return partition.log.log_end_offset
    by_isolation = timestamp < 0 or call.profile.list_offsets.time_bounded_by == "isolation"
    is_bounded = request.isolation_level == READ_COMMITTED and by_isolation
    return partition.last_stable_offset if is_bounded else partition.high_watermark


def _resolved(partition: Partition, timestamp: int, end: Offset, call: Call) -> FoundOffset:
    """The answer to a time. Raises `MalformedBytes`."""
    behaviour, log = call.profile.list_offsets, partition.log
    special = behaviour.newest_special_time <= timestamp < 0
    if timestamp == LATEST:
        return FoundOffset(NO_TIMESTAMP, end, partition.leader_epoch)
    if special and timestamp in (EARLIEST, EARLIEST_LOCAL):
        return FoundOffset(NO_TIMESTAMP, log.log_start_offset, _first_epoch(partition))
    if special and timestamp < EARLIEST_LOCAL:
        return NOT_FOUND
    if not special:
        resolved = offset_for_timestamp(log, call.profile.log, timestamp)
    elif behaviour.largest_timestamp == "record":
        resolved = record_of_max_timestamp(log)
    else:
        resolved = noted_max_timestamp(log)
    at_end = behaviour.time_found_below == "at high watermark"
    if resolved is None or resolved.offset > end or (resolved.offset == end and not at_end):
        return NOT_FOUND
    return resolved


def _first_epoch(partition: Partition) -> LeaderEpoch:
    """The leader epoch at the log's start; -1 if none is known for it."""
    first = partition.log.epochs.earliest if partition.log.epochs is not None else None
    known = first is not None and first.start_offset <= partition.log.log_start_offset
    return first.epoch if first is not None and known else NO_EPOCH
