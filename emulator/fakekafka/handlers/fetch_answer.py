"""The answer to Fetch, from what was read. Not a handler: the second half of `fetch`.

Partitions that were not tried are answered last, whatever their place in the request.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple, assert_never

from fakekafka.cluster.broker import Broker
from fakekafka.cluster.conversion import in_one_format, readable, refuses_zstd
from fakekafka.cluster.reading import NOTHING, FetchFails, Read, ReadData, Wanted, is_unknown
from fakekafka.cluster.untried_read import LostRead, UntriedRead
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.ids import NO_OFFSET, ZERO_UUID, Magic, Uuid
from fakekafka.pieces import Stepwise, size_of
from fakekafka.storage.partition import Partition
from fakekafka.wire.apis.fetch import (
    AbortedTransaction,
    EpochEndOffset,
    FetchableTopicResponse,
    FetchResponse,
    LeaderIdAndEpoch,
    NodeEndpoint,
    PartitionData,
)

FIRST_WITH_FORMAT_1: Final = 2
"""KIP-32."""
FIRST_WITH_FORMAT_2: Final = 4
"""KIP-98."""
FIRST_WITH_STORAGE_ERROR: Final = 6
NAMELESS: Final = (None, ZERO_UUID)
"""A topic that was asked for by an id of zeros."""
LEADER_ERRORS: Final = (ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.FENCED_LEADER_EPOCH)


class Answer(NamedTuple):
    """The answer for one partition."""

    wanted: Wanted
    partition: Partition | None
    data: PartitionData
    size: int
    """Bytes of records before they are converted."""


def is_untried(read: Read, broker: Broker) -> bool:
    """Whether the partition was not tried: the client has no right to it, or it is not in the metadata
    (`FetchBehaviour.order`).
    """
    name = read.wanted.name
    if isinstance(read, UntriedRead | LostRead):
        return isinstance(read, UntriedRead)
    return read.partition is None and (name is None or is_unknown(broker, name, read.wanted.asked.partition))


def answer_each(reads: list[Read], read_committed: bool, call: Call, *, is_follower: bool = False) -> list[Answer]:
    """The answers for the partitions that were read, then for the unknown ones. Of these a consumer is told about
    unknown topic ids first (KafkaApis.handleFetchRequest).
    """
    stable_is_shown = _shows_stable_offset(call, read_committed)
    answers: list[Answer] = []
    unknown: list[Answer] = []
    make, fast = tuple.__new__, PartitionData.fast
    for read in reads:
        wanted, partition, result = read
        if isinstance(result, ReadData) and partition is not None:
            log, high_watermark = partition.log, partition.high_watermark
            data = fast(  # the constructor costs as much as all the rest here
                {
                    "partition_index": wanted.asked.partition,
                    "high_watermark": high_watermark,
                    "last_stable_offset": log.last_stable_offset(high_watermark) if stable_is_shown else NO_OFFSET,
                    "log_start_offset": log.log_start_offset,
                    "aborted_transactions": None,
                    "records": result.buffers or b"",
                }
            )
            if result is not NOTHING:
                _add_more(data, result)
            answers.append(make(Answer, (wanted, partition, data, result.size)))
        elif isinstance(result, ErrorCode):
            if is_untried(read, call.broker):
                unknown.append(Answer(wanted, None, refused(wanted, result, call), 0))
            else:
                if result is ErrorCode.KAFKA_STORAGE_ERROR and call.version < FIRST_WITH_STORAGE_ERROR:
                    result = ErrorCode.NOT_LEADER_OR_FOLLOWER  # KIP-112: old clients then look for another leader
                answers.append(Answer(wanted, partition, _not_read(wanted, result), 0))
    if unknown and not is_follower:
        unknown.sort(key=_has_name)
    return answers + unknown


def _shows_stable_offset(call: Call, read_committed: bool) -> bool:
    match call.profile.fetch.stable_offset_shown:
        case "to all":
            return True
        case "to read_committed":
            return read_committed
        case "to nobody":
            return False
        case rule:
            assert_never(rule)


def _has_name(answer: Answer) -> bool:
    return answer.wanted.name is not None


def bill(answers: Iterable[Answer], call: Call) -> None:
    """Count the bytes that are sent exactly as they are stored."""
    for _, partition, _, size in answers:
        if size and partition is not None:
            call.broker.bill.sent((call.version, call.client_id), partition.topic.name, size)


def _add_more(data: PartitionData, read: ReadData) -> None:
    """Add what only some answers have."""
    if read.aborted is not None:
        data.aborted_transactions = [
            AbortedTransaction(producer_id=txn.producer_id, first_offset=txn.first_offset) for txn in read.aborted
        ]
    if read.diverging is not None:
        data.diverging_epoch = EpochEndOffset(epoch=read.diverging.epoch, end_offset=read.diverging.end_offset)
    if read.preferred is not None:
        data.preferred_read_replica = read.preferred


def _not_read(wanted: Wanted, error: ErrorCode) -> PartitionData:
    """The answer for a partition that could not be read."""
    return PartitionData(
        partition_index=wanted.asked.partition,
        error_code=error,
        high_watermark=NO_OFFSET,
        aborted_transactions=None,
        records=b"",
    )


def refused(wanted: Wanted, error: ErrorCode, call: Call, null_records: bool = False) -> PartitionData:
    """The answer for a partition that was not tried, or whose records cannot be sent
    (FetchResponse.partitionResponse).
    """
    data = _not_read(wanted, error)
    if call.profile.fetch.error_aborted_transactions == "empty":
        data.aborted_transactions = []
    if null_records:
        data.records = None
    return data


def by_topic(answers: list[Answer], call: Call) -> list[FetchableTopicResponse]:
    """Neighbours of one topic share an entry; in old releases all partitions of a topic do.

    Raises `FetchFails` if anything follows a partition whose topic has neither a name nor an id: the broker then asks
    for that name (FetchResponse.matchingTopic). Recorded from 3.3.2 and 3.9.1: fetch_zero_ids. After a wait,
    there is no answer at all (recorded from 3.9.1 and 4.3.1: odd_fetches).
    """
    together = call.profile.fetch.gathers_topics
    topics: list[FetchableTopicResponse] = []
    entries: dict[tuple[str | None, Uuid], list[PartitionData]] = {}
    last: tuple[str | None, Uuid] | None = None
    for wanted, _, data, _ in answers:
        if last == NAMELESS:
            raise FetchFails
        topic = wanted[:2]
        if topic != last and not (together and topic in entries):
            entries[topic] = partitions = list[PartitionData]()
            topics.append(FetchableTopicResponse(topic=topic[0] or "", topic_id=topic[1], partitions=partitions))
        entries[topic].append(data)
        last = topic
    if together:
        from fakekafka.handlers.orders.records import fetch  # few releases have maps here

        fetch(topics, call)
    return topics


def add_endpoints(response: FetchResponse, answers: list[Answer], is_follower: bool, call: Call) -> None:
    """Name the leaders of partitions that are led elsewhere, or in another epoch (KIP-951)."""
    cluster = call.broker.cluster
    leaders = []
    for answer in answers:
        topic = cluster.topics.get(answer.wanted.name or "")
        state = None if topic is None else topic.partition(answer.wanted.asked.partition)
        if state is not None and answer.data.error_code in LEADER_ERRORS:
            known = cluster.as_known_to(call.broker.node_id, state)
            answer.data.current_leader = LeaderIdAndEpoch(leader_id=known.leader, leader_epoch=known.leader_epoch)
            leaders.append(known.leader)
    if is_follower and not call.profile.fetch.endpoints_for_followers:
        return
    response.node_endpoints = [
        NodeEndpoint(node_id=b.node_id, **call.endpoint_of(b), rack=b.rack)
        for b in cluster.brokers_known_to(call.broker.node_id).values()
        if b.node_id in leaders
    ]


# ---- older versions


def cut_to_one_format(answer: Answer) -> Answer:
    """The answer up to where the format of its records changes."""
    if isinstance(answer.data.records, list):
        answer.data.records = list(in_one_format(answer.data.records))
        return answer._replace(size=sum(map(len, answer.data.records)))
    return answer


def _newest_format(version: int) -> Magic:
    """The newest message format that clients of that version read."""
    if version < FIRST_WITH_FORMAT_1:
        return 0
    return 1 if version < FIRST_WITH_FORMAT_2 else 2


def convert(answer: Answer, is_follower: bool, call: Call) -> Stepwise[Answer]:
    """The answer for a client that cannot read zstd, or, below version 4, every format."""
    wanted, partition, data, _ = answer
    null_records = call.profile.fetch.conversion_error_records == "null"
    if refuses_zstd(call.broker, partition or call.broker.partition(wanted.name or "", wanted.asked.partition)):
        error = ErrorCode.UNSUPPORTED_COMPRESSION_TYPE
        return answer._replace(data=refused(wanted, error, call, null_records))
    newest = _newest_format(call.version)
    if newest == 2 or partition is None:
        bill([answer], call)
        return answer
    buffers = data.records if isinstance(data.records, list) else ()
    read = ErrorCode(data.error_code) if data.error_code else ReadData(buffers, answer.size)
    offset, who = wanted.asked.fetch_offset, (call.version, call.client_id)
    records = yield from readable(call.broker, partition, read, offset, newest, is_follower, who)
    if not isinstance(records, ErrorCode):
        data.records = list(records)
        call.converted_away += answer.size - size_of(data.records)
    elif records != data.error_code:
        return answer._replace(data=refused(wanted, records, call, null_records))
    return answer
