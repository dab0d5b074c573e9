"""Brokers made wrong on purpose, each in one way, and what a cell of the matrix says about them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from fakekafka import FakeKafka
from fakekafka.pieces import joined
from fakekafka.records import v1, v2
from fakekafka.records.batch import Batch
from fakekafka.records.compression import CODEC_NAMES
from fakekafka.records.record import Record
from fakekafka.records.scan import batches
from fakekafka.wire.apis.fetch import FetchResponse, PartitionData
from fakekafka.wire.apis.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitResponse,
    OffsetCommitResponsePartition,
    OffsetCommitResponseTopic,
)
from fakekafka.wire.apis.offset_fetch import OffsetFetchResponse
from fakekafka.wire.apis.produce import PartitionProduceData, PartitionProduceResponse, ProduceRequest, ProduceResponse

Mutate = Callable[[FakeKafka], None]
Rows = list[Record]
HOUR_MS = 3_600_000


class Mutation(NamedTuple):
    """One way to make a broker wrong, and the cell that notices: release, scenario, and perhaps a codec."""

    name: str
    mutate: Mutate
    reason: str
    """What the verdict says, or the beginning of it."""
    release: str = "2.3"
    scenario: str = "roundtrip"
    codec: str = "none"
    phase: str = ""


# ---- what is stored


def storing(change: Callable[[Rows], Rows], codec: int | None = None) -> Mutate:
    """A broker that stores other records than it was sent, compressed with `codec`."""

    def change_set(one: PartitionProduceData) -> None:
        one.records = bytearray(b"".join(_rebuilt(batch, change, codec) for batch in batches(_bytes(one))))

    return producing(change_set)


def _rebuilt(batch: Batch, change: Callable[[Rows], Rows], codec: int | None) -> bytes:
    rows = change(list(batch.records()))
    if batch.magic < 2:
        return v1.build(rows, codec=batch.codec if codec is None else codec)
    return v2.build(
        [row._replace(offset=n) for n, row in enumerate(rows)],
        codec=batch.codec if codec is None else codec,
        producer_id=batch.producer_id,
        producer_epoch=batch.producer_epoch,
        base_sequence=batch.base_sequence,
        transactional=batch.is_transactional,
    )


def producing(change: Callable[[PartitionProduceData], None]) -> Mutate:
    def on_request(request: ProduceRequest) -> None:
        for topic in request.topic_data:
            for one in topic.partition_data:
                change(one)

    return lambda kafka: _add(kafka, "Produce", on_request)


def acknowledging(change: Callable[[PartitionProduceResponse], None]) -> Mutate:
    def on_answer(request: ProduceRequest, answer: ProduceResponse) -> None:
        for topic in answer.responses:
            for one in topic.partition_responses:
                change(one)

    return lambda kafka: _add(kafka, "Produce", on_answer)


def each(change: Callable[[Record], Record]) -> Callable[[Rows], Rows]:
    return lambda rows: [change(row) for row in rows]


def _add(kafka: FakeKafka, api: str, function: Callable[..., Any]) -> None:
    kafka.faults.intercept(api, function)


def other_value(row: Record) -> Record:
    return row._replace(value=row.value and row.value.replace(b"value", b"VALUE"))


def swapped_contents(rows: Rows) -> Rows:
    """The first two records exchange their contents, and keep their offsets."""
    if len(rows) < 2:
        return rows
    one, two, *others = rows
    return [two._replace(offset=one.offset), one._replace(offset=two.offset), *others]


def to_the_other_partition(kafka: FakeKafka) -> None:
    def turn(one: PartitionProduceData) -> None:
        one.index = 1 - one.index

    producing(turn)(kafka)


def one_further(one: PartitionProduceResponse) -> None:
    one.base_offset += 1


def a_stranger(kafka: FakeKafka) -> None:
    """A record that the client did not send lies in the topic."""

    def on_answer(request: Any, answer: ProduceResponse) -> None:
        for topic in answer.responses:
            kafka_send(topic.name)

    def kafka_send(topic: str) -> None:
        from fakekafka.watching.stored import append_record, found_topic

        cluster = kafka._running.cluster  # this runs on its thread
        append_record(cluster, found_topic(cluster, topic), b"whose", b"nobody's", (), None, 0)

    _add(kafka, "Produce", on_answer)


def forgetting_producers(one: PartitionProduceData) -> None:
    """Forget a batch's producer, so that a repeated batch is not recognised."""
    data = _bytes(one)
    one.records = bytearray(b"".join(v2.build(batch.records(), codec=batch.codec) for batch in batches(data)))


def other_error(one: PartitionProduceResponse) -> None:
    if one.error_code:
        one.error_code = 87  # INVALID_RECORD


# ---- how a topic is made


def configuring(**changes: str) -> Mutate:
    """A broker whose topics have other configs than requested."""
    wrong = {key.replace("_", "."): value for key, value in changes.items()}

    def mutate(kafka: FakeKafka) -> None:
        create = kafka.create_topic

        def wrongly(name: str, partitions: int = 1, config: Mapping[str, object] | None = None) -> None:
            create(name, partitions, {**(config or {}), **wrong})

        kafka.create_topic = wrongly  # type: ignore[method-assign]

    return mutate


def compacting_nothing(kafka: FakeKafka) -> None:
    kafka.compact = lambda *topics, **how: []  # type: ignore[method-assign]


def upgrading_nothing(kafka: FakeKafka) -> None:
    upgrade = kafka.upgrade

    def wrongly(*way: Any, **how: Any) -> Any:
        steps = upgrade(*way, **how)
        for step in steps:
            step.apply = lambda: None  # type: ignore[method-assign]
        return steps

    kafka.upgrade = wrongly  # type: ignore[method-assign]


# ---- what is sent


def sending(change: Callable[[Rows], Rows]) -> Mutate:
    """A broker that sends other records than those it has stored."""

    def change_part(part: PartitionData) -> None:
        rebuilt = []
        for batch in batches(_bytes(part)):
            rows = change(list(batch.records()))
            last = batch.last_offset
            rebuilt.append(v2.build(rows, base_offset=batch.base_offset, last_offset=last, codec=batch.codec))
        part.records = b"".join(rebuilt)

    return fetching(change_part)


def _bytes(part: PartitionData | PartitionProduceData) -> bytes:
    pieces: Any = part.records or []
    return bytes(joined(pieces if isinstance(pieces, list) else [pieces]))


def fetching(change: Callable[[PartitionData], None]) -> Mutate:
    def on_answer(request: Any, answer: FetchResponse) -> None:
        for topic in answer.responses:
            for part in topic.partitions:
                if part.records:
                    change(part)

    return lambda kafka: _add(kafka, "Fetch", on_answer)


def append_times(part: PartitionData) -> None:
    found = [v2.build(batch.records(), append_time=batch.max_timestamp) for batch in batches(_bytes(part))]
    part.records = b"".join(found)


def damaged(part: PartitionData) -> None:
    data = bytearray(_bytes(part))
    data[-1] ^= 1
    part.records = bytes(data)


def hiding_aborts(part: PartitionData) -> None:
    part.aborted_transactions = []


# ---- groups, transactions, times


def committing_one_less(request: OffsetCommitRequest) -> None:
    for topic in request.topics:
        for one in topic.partitions:
            one.committed_offset -= 1


def ignoring_commits(request: OffsetCommitRequest) -> OffsetCommitResponse:
    topics = [
        OffsetCommitResponseTopic(
            name=topic.name,
            partitions=[
                OffsetCommitResponsePartition(partition_index=one.partition_index, error_code=0)
                for one in topic.partitions
            ],
        )
        for topic in request.topics
    ]
    return OffsetCommitResponse(topics=topics)


def forgetting_commits(request: Any, answer: OffsetFetchResponse) -> None:
    groups: list[Any] = [answer, *answer.groups]
    for group in groups:
        for topic in group.topics:
            for one in topic.partitions:
                one.committed_offset = -1


def ending_the_other_way(request: Any) -> None:
    request.committed = not request.committed


def answering(api: str, function: Callable[..., Any]) -> Mutate:
    return lambda kafka: _add(kafka, api, function)


def later(by: int) -> Callable[..., None]:
    def on_answer(request: Any, answer: Any) -> None:
        for topic in answer.topics:
            for one in topic.partitions:
                if one.timestamp >= 0:
                    one.offset += by

    return on_answer


GZIP = CODEC_NAMES.index("gzip")

MUTATIONS: Sequence[Mutation] = (
    Mutation("loses the last record of a batch", storing(lambda rows: rows[:-1] or rows), "record * is not stored"),
    Mutation("stores records twice", storing(lambda rows: rows * 2), "record * is stored 2 times"),
    Mutation("stores records in reverse", storing(lambda rows: rows[::-1]), "record * is at several places"),
    Mutation("exchanges two records", storing(swapped_contents), "record * is at several places"),
    Mutation("changes values", storing(each(other_value)), "record * has several values"),
    Mutation(
        "stores null keys as empty ones",
        storing(each(lambda r: r._replace(key=r.key or b""))),
        "record * has several keys",
    ),
    Mutation(
        "stores empty values as null",
        storing(each(lambda r: r._replace(value=r.value or None))),
        "record * has several values",
    ),
    Mutation(
        "stores null values as empty ones",
        storing(each(lambda r: r._replace(value=r.value or b""))),
        "record * has several values",
    ),
    Mutation("drops headers", storing(each(lambda r: r._replace(headers=()))), "record * is stored with other headers"),
    Mutation(
        "turns headers round",
        storing(each(lambda r: r._replace(headers=r.headers[::-1]))),
        "record * is stored with other headers",
    ),
    Mutation(
        "drops the last header",
        storing(each(lambda r: r._replace(headers=r.headers[:-1]))),
        "record * is stored with other headers",
    ),
    Mutation(
        "changes timestamps",
        storing(each(lambda r: r._replace(timestamp=r.timestamp + HOUR_MS))),
        "record * is stored with another timestamp",
    ),
    Mutation(
        "stamps its own time",
        configuring(message_timestamp_type="LogAppendTime"),
        "timestamp types: 'LogAppendTime', not 'CreateTime'",
    ),
    Mutation(
        "stores an older format",
        configuring(message_format_version="0.9.0"),
        "stored format: '0', not '1'",
        release="0.10.2",
    ),
    Mutation("decompresses", storing(list, codec=0), "compressed with: 'none', not 'gzip'", codec="gzip"),
    Mutation("compresses", storing(list, codec=GZIP), "codecs that nobody asked for: 'gzip', not ''"),
    Mutation(
        "compresses with another codec",
        configuring(compression_type="lz4"),
        "codecs that nobody asked for: 'lz4', not ''",
        codec="gzip",
    ),
    Mutation("stores in the other partition", to_the_other_partition, "record * is at several places: partitions"),
    Mutation("acknowledges other offsets", acknowledging(one_further), "record * is at several places"),
    Mutation("has records that nobody sent", a_stranger, "a record that nobody produced is stored"),
    Mutation("refuses what is small enough", configuring(max_message_bytes="100"), "error: *"),
    Mutation(
        "takes what is too large",
        configuring(max_message_bytes="1000000"),
        "record 4 is consumed, and must never be",
        scenario="oversize",
    ),
    Mutation(
        "refuses with another error",
        acknowledging(other_error),
        "errors in answers to Produce: 'INVALID_RECORD', not 'MESSAGE_TOO_LARGE'",
        scenario="oversize",
    ),
    Mutation("forgets producers", producing(forgetting_producers), "record * is stored 2 times", scenario="idempotent"),
    Mutation("skips records", sending(lambda rows: rows[1:] or rows), "record * is not consumed"),
    Mutation("sends other values", sending(each(other_value)), "record * has several values"),
    Mutation(
        "sends other headers",
        sending(each(lambda r: r._replace(headers=()))),
        "record * is consumed with other headers",
    ),
    Mutation(
        "sends other timestamps",
        sending(each(lambda r: r._replace(timestamp=r.timestamp + 1))),
        "record * is consumed with another timestamp",
    ),
    Mutation("sends exchanged records", sending(swapped_contents), "record * is at several places"),
    Mutation("sends another timestamp type", fetching(append_times), "timestamp types that readers saw: '1', not '0'"),
    Mutation("sends damaged records", fetching(damaged), "error: *Corrupt*"),
    Mutation(
        "hides which transactions were aborted",
        fetching(hiding_aborts),
        "record * is consumed, and must never be",
        scenario="transactional",
    ),
    Mutation(
        "aborts what is committed, and commits what is aborted",
        answering("EndTxn", ending_the_other_way),
        "record * is consumed, and must never be",
        scenario="transactional",
    ),
    Mutation("stores stale commits", answering("OffsetCommit", committing_one_less), "committed: *", scenario="group"),
    Mutation("stores no commits", answering("OffsetCommit", ignoring_commits), "committed: *", scenario="group"),
    Mutation(
        "forgets commits",
        answering("OffsetFetch", forgetting_commits),
        "delivered again after the commit: *",
        scenario="group",
    ),
    Mutation("finds times too late", answering("ListOffsets", later(1)), "offsets at that time: *", scenario="seek"),
    Mutation("finds times too early", answering("ListOffsets", later(-1)), "offsets at that time: *", scenario="seek"),
    Mutation("never compacts", compacting_nothing, "record 0 is consumed, and must never be", scenario="compacted"),
    Mutation(
        "upgrades nothing",
        upgrading_nothing,
        "stored format in '2.3: new format': '1', not '2'",
        release="0.10.2",
        scenario="upgrade",
        phase="0.10.2 -> 2.3",
    ),
)
