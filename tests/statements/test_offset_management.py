"""The design of offset management (Kafka wiki, 2012), statement by statement, as releases of Kafka do it.

Where the design differs from Kafka, the test says so; the design's own way is in
`tests/emulator/coordinators/groups/offsets/atomic`. It is long, since the document has this many statements.
"""

from collections.abc import Callable, Sequence
from typing import NoReturn

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.coordinators.groups.records import OffsetKey, offset_key, read_key, read_offset
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey
from fakekafka.log.partition_log import PartitionLog
from fakekafka.records import v0, v1
from fakekafka.records.record import Record
from fakekafka.records.scan import Unit, units_in_file
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic
from fakekafka.wire.apis.list_offsets import ListOffsetsRequest
from fakekafka.wire.apis.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetCommitResponse,
    OffsetCommitResponsePartition,
    OffsetCommitResponseTopic,
)
from fakekafka.wire.apis.offset_fetch import (
    OffsetFetchRequest,
    OffsetFetchRequestTopic,
    OffsetFetchResponse,
    OffsetFetchResponsePartition,
    OffsetFetchResponseTopic,
)
from fakekafka.wire.codec import encode_bytes

from tests.support.brokers import answer
from tests.support.group_clients import SMALL, Member, coordinator_is_there, coordinator_of, grouped, newest, simple
from tests.support.seeded import NOW, broker_of, partition_of

E = ErrorCode
TOPIC = "__consumer_offsets"
V0 = {ApiKey.OFFSET_COMMIT: 0, ApiKey.OFFSET_FETCH: 0}
"""The versions that use ZooKeeper."""
G, T = b"\0\1g", b"\0\1t"


def in_zookeeper(kafka: FakeKafka) -> Member:
    return Member(kafka, versions=V0)


def metadata_of(kafka: FakeKafka, version: int, partition: int = 0) -> str | None:
    """What OffsetFetch gives back as metadata."""
    asked = [OffsetFetchRequestTopic(name="t", partition_indexes=[partition])]
    done = answer(kafka, OffsetFetchRequest(group_id="g", topics=asked), version, OffsetFetchResponse)
    return done.topics[0].partitions[0].metadata


def fetched(kafka: FakeKafka, version: int, partition: int) -> tuple[int, ErrorCode]:
    """Offset and error of OffsetFetch."""
    asked = [OffsetFetchRequestTopic(name="t", partition_indexes=[partition])]
    done = answer(kafka, OffsetFetchRequest(group_id="g", topics=asked), version, OffsetFetchResponse)
    found = done.topics[0].partitions[0]
    return found.committed_offset, ErrorCode(found.error_code)


# ---- the requests


@pytest.mark.statement("S4-1", "S4-38")
def test_a_commit_names_group_topics_partitions_offsets_and_metadata() -> None:
    """Counts are int32; a comment proposed int16."""
    partitions = [OffsetCommitRequestPartition(partition_index=3, committed_offset=7, committed_metadata="m")]
    request = OffsetCommitRequest(group_id="g", topics=[OffsetCommitRequestTopic(name="t", partitions=partitions)])
    count = b"\0\0\0\1"
    offset = b"\0\0\0\0\0\0\0\7"
    assert encode_bytes(request, 0) == G + count + T + count + b"\0\0\0\3" + offset + b"\0\1m"


@pytest.mark.statement("S4-2")
def test_the_answer_has_an_error_for_each_partition() -> None:
    partitions = [OffsetCommitResponsePartition(partition_index=3, error_code=E.OFFSET_METADATA_TOO_LARGE)]
    done = OffsetCommitResponse(topics=[OffsetCommitResponseTopic(name="t", partitions=partitions)])
    assert encode_bytes(done, 0) == b"\0\0\0\1" + T + b"\0\0\0\1" + b"\0\0\0\3" + b"\0\x0c"


@pytest.mark.statement("S4-5", "S4-39")
def test_fetching_offsets_is_a_request_of_its_own() -> None:
    """A comment asked for another name than OffsetRequest, which asks for offsets by time."""
    assert (OffsetFetchRequest.KEY, OffsetFetchResponse.KEY, ListOffsetsRequest.KEY) == (9, 9, 2)
    asked = [OffsetFetchRequestTopic(name="t", partition_indexes=[3])]
    request = encode_bytes(OffsetFetchRequest(group_id="g", topics=asked), 0)
    assert request == G + b"\0\0\0\1" + T + b"\0\0\0\1" + b"\0\0\0\3"
    found = [OffsetFetchResponsePartition(partition_index=3, committed_offset=7, metadata="m", error_code=E.NONE)]
    done = encode_bytes(OffsetFetchResponse(topics=[OffsetFetchResponseTopic(name="t", partitions=found)]), 0)
    assert done == b"\0\0\0\1" + T + b"\0\0\0\1" + b"\0\0\0\3" + b"\0\0\0\0\0\0\0\7" + b"\0\1m" + b"\0\0"


@pytest.mark.statement("S4-3", "S4-45")
@pytest.mark.parametrize("text", ["state-0007.bin", '{"lag": 3}', "ünï\N{SLIGHTLY SMILING FACE}", ""])
def test_metadata_is_any_text_and_comes_back_unchanged(text: str) -> None:
    kafka = grouped("2.3")
    simple(kafka).commit(5, metadata=text)
    assert metadata_of(kafka, 1) == text
    kafka.restart()
    assert metadata_of(kafka, 1) == text


@pytest.mark.statement("S4-3")
def test_zookeeper_loses_metadata() -> None:
    """The design does not say this: the node holds nothing but the offset."""
    kafka = grouped("2.3")
    in_zookeeper(kafka).commit(5, metadata="m")
    assert metadata_of(kafka, 0) == ""


@pytest.mark.statement("S4-4", "S4-45")
@pytest.mark.parametrize(("sign", "most"), [("m", 4096), ("é", 4096), ("\N{SLIGHTLY SMILING FACE}", 2048)])
def test_metadata_has_a_limit_counted_in_units_of_utf_16(sign: str, most: int) -> None:
    consumer = simple(grouped("2.3"))
    assert consumer.commit(5, metadata=sign * most) == [E.NONE]
    assert consumer.commit(6, metadata=sign * most + "m") == [E.OFFSET_METADATA_TOO_LARGE]
    assert consumer.fetch(0) == [5]


@pytest.mark.statement("S4-37")
def test_one_request_covers_a_thousand_partitions() -> None:
    consumer = simple(grouped("2.3", partitions=1_000))
    assert set(consumer.commit(*range(1_000))) == {E.NONE}
    assert consumer.fetch(*range(1_000)) == list(range(1_000))


@pytest.mark.statement("S4-37")
@pytest.mark.parametrize(
    ("release", "drafts"), [("0.8.2", []), ("2.3", []), ("4.3", []), ("3.9", ["atomic-offset-log"])]
)
def test_one_request_covers_partitions_of_several_topics(release: str, drafts: Sequence[str]) -> None:
    topics = {"t": 2, "u": 1, "v": 3}
    kafka = FakeKafka(release, config=SMALL, clock=ManualClock(NOW), topics=topics, drafts=drafts).boot()
    coordinator_is_there(kafka)
    offsets = {(name, n): 10 * count + n for name, count in topics.items() for n in range(count)}
    asked = [
        OffsetCommitRequestTopic(
            name=name,
            partitions=[
                OffsetCommitRequestPartition(partition_index=n, committed_offset=offsets[name, n]) for n in range(count)
            ],
        )
        for name, count in topics.items()
    ]
    request = OffsetCommitRequest(group_id="g", generation_id_or_member_epoch=-1, topics=asked)
    done = answer(kafka, request, newest(kafka, ApiKey.OFFSET_COMMIT, 2), OffsetCommitResponse)
    errors = {(t.name, p.partition_index): p.error_code for t in done.topics for p in t.partitions}
    assert errors == dict.fromkeys(offsets, E.NONE)
    assert {place: committed.offset for place, committed in kafka.committed("g").items()} == offsets


@pytest.mark.statement("S4-40")
@pytest.mark.parametrize("release", ["0.8.2", "0.10.2", "2.3", "2.8"])
def test_a_missing_offset_is_minus_1_with_an_error_only_in_version_0(release: str) -> None:
    """From version 1 on there is no error: the design's comments were written before it."""
    kafka = grouped(release)
    in_zookeeper(kafka).commit(5)
    assert fetched(kafka, 1, 0) == (-1, E.NONE)
    simple(kafka).commit(5)
    assert [fetched(kafka, 1, partition) for partition in (0, 1)] == [(5, E.NONE), (-1, E.NONE)]
    assert [fetched(kafka, 0, partition) for partition in (0, 1)] == [
        (5, E.NONE),
        (-1, E.UNKNOWN_TOPIC_OR_PARTITION),
    ]


@pytest.mark.statement("S4-40")
@pytest.mark.parametrize("release", ["0.8.2", "2.3", "4.3"])
def test_a_missing_offset_of_the_draft_is_minus_1_without_an_error(release: str) -> None:
    kafka = FakeKafka(
        release, config=SMALL, clock=ManualClock(NOW), topics={"t": 8}, drafts=["atomic-offset-log"]
    ).boot()
    coordinator_is_there(kafka)
    simple(kafka).commit(5)
    assert [fetched(kafka, 1, partition) for partition in (0, 1)] == [(5, E.NONE), (-1, E.NONE)]


@pytest.mark.statement("S4-41")
def test_without_zookeeper_its_offsets_are_minus_1_with_an_error() -> None:
    """There is no failing ZooKeeper here, but there are releases without ZooKeeper: they answer 35, not -1."""
    kafka = grouped("3.8")
    assert fetched(kafka, 0, 0) == (-1, E.UNSUPPORTED_VERSION)


# ---- ZooKeeper, the first phase


@pytest.mark.statement("S4-6")
def test_zookeeper_keeps_one_offset_for_each_group_topic_and_partition_whoever_leads_it() -> None:
    """The design's nodes end with broker and partition, Kafka's (/consumers/g/offsets/t/1) with the partition: what was
    committed while one broker led is found when another leads. There is no ZooKeeper here, so no path can be read.
    """
    config = {"offsets.topic.num.partitions": 1, "offsets.topic.replication.factor": 2, "default.replication.factor": 2}
    kafka = FakeKafka("2.3", brokers=2, config=config, clock=ManualClock(NOW), topics={"t": 2}).boot()
    for leader, group, offset in ((0, "g", 5), (1, "g", 6), (1, "other", 7)):
        kafka.elect_leader("t", 1, broker=leader)
        assert Member(kafka, group, versions=V0).commit(3, offset) == [E.NONE] * 2
        assert Member(kafka, group, versions=V0).fetch(0, 1) == [3, offset]
    kafka.elect_leader("t", 1, broker=0)
    assert in_zookeeper(kafka).fetch(0, 1) == [3, 6]
    assert coordinator_of(kafka).offsets.get("g", "t", 1) is None


@pytest.mark.statement("S4-15", "S4-44")
def test_zookeeper_is_written_partition_by_partition() -> None:
    """Multi-writes of ZooKeeper 3.4 were never used: an error in one partition does not hold back the others."""
    kafka = grouped("2.3")
    partitions = [
        OffsetCommitRequestPartition(partition_index=n, committed_offset=5, committed_metadata="m" * length)
        for n, length in enumerate((1, 4097, 1))
    ]
    topics = [OffsetCommitRequestTopic(name="t", partitions=partitions)]
    done = answer(kafka, OffsetCommitRequest(group_id="g", topics=topics), 0, OffsetCommitResponse)
    assert [p.error_code for p in done.topics[0].partitions] == [E.NONE, E.OFFSET_METADATA_TOO_LARGE, E.NONE]
    assert sorted(broker_of(kafka).cluster.zookeeper_offsets.all()) == [("g", "t", 0), ("g", "t", 2)]


# ---- clients may do without


@pytest.mark.statement("S4-7", "S4-8")
def test_clients_may_keep_offsets_elsewhere_for_each_message_has_its_own() -> None:
    kafka = grouped("2.3")
    for value in (b"a", b"b", b"c"):
        kafka.send("t", value, partition=0)
    stored = next(record.offset for record in kafka.records("t") if record.value == b"b")
    asked = FetchPartition(partition=0, fetch_offset=stored + 1, partition_max_bytes=1 << 20)
    request = FetchRequest(max_wait_ms=0, min_bytes=1, topics=[FetchTopic(topic="t", partitions=[asked])])
    records = answer(kafka, request, 4, FetchResponse).responses[0].partitions[0].records
    assert records is not None
    assert b"c" in bytes(records)
    assert b"b" not in bytes(records)
    assert kafka.committed("g") == {}


# ---- the topic, the second phase


def keys(kafka: FakeKafka) -> list[OffsetKey]:
    found = [read_key(record.key or b"") for record in kafka.records(TOPIC)]
    return [key for key in found if isinstance(key, OffsetKey)]


@pytest.mark.statement("S4-16", "S4-20")
@pytest.mark.parametrize("release", ["0.8.2", "2.3", "4.3"])
def test_offsets_are_in_a_replicated_compacted_topic(release: str) -> None:
    """Called __consumer_offsets, not "offset-commit-log"."""
    kafka = FakeKafka(
        release, brokers=3, clock=ManualClock(NOW), config=SMALL | {"offsets.topic.replication.factor": 3}
    )
    kafka.boot()
    coordinator_is_there(kafka)
    topic = broker_of(kafka).cluster.topics[TOPIC]
    assert topic.overrides["cleanup.policy"] == "compact"
    assert [len(state.replicas) for state in topic.partitions] == [3]


@pytest.mark.statement("S4-17")
def test_the_cleaner_removes_older_updates() -> None:
    kafka = grouped("2.3")
    consumer = simple(kafka)
    for offset in range(5):
        consumer.commit(offset)
    kafka.compact(TOPIC, roll=True)
    assert len(keys(kafka)) == 1
    kafka.restart()
    assert simple(kafka).fetch(0) == [4]


@pytest.mark.statement("S4-10", "S4-21")
def test_groups_are_spread_over_partitions_and_each_is_in_order() -> None:
    kafka = FakeKafka("2.3", clock=ManualClock(NOW), topics={"t": 1}).boot()
    coordinator_is_there(kafka)
    groups = [f"group-{n}" for n in range(500)]
    for offset in (1, 2):
        for group in groups:
            Member(kafka, group).commit(offset)
    led = [partition_of(kafka, index, TOPIC).log.log_end_offset for index in range(50)]
    assert sum(led) == 1_000
    assert min(led) > 0
    index = coordinator_of(kafka).partition_of("group-7")
    values = [r.value for r in kafka.records(TOPIC, index) if b"group-7" in (r.key or b"")]
    assert [read_offset(value or b"", 4).offset for value in values if value] == [1, 2]


@pytest.mark.statement("S4-43")
@pytest.mark.parametrize("build", [v0.build, v1.build])
def test_one_message_with_all_offsets_is_there_whole_or_not_at_all(
    build: Callable[[Sequence[Record]], bytes],
) -> None:
    """This is what a comment proposes, wherever a crash cuts the log. Of several messages, only some may be there."""
    offsets = [(f"g-t-{n}".encode(), b"%d" % n) for n in range(3)]
    together = build([Record(0, NOW, 0, b"g", b";".join(b"%b=%b" % each for each in offsets))])
    apart = b"".join(build([Record(n, NOW, 0, *each)]) for n, each in enumerate(offsets))
    assert {len(units_in(together[:size])) for size in range(len(together))} == {0}
    assert {len(units_in(apart[:size])) for size in range(len(apart))} == {0, 1, 2}


def units_in(data: bytes) -> list[Unit]:
    return [unit for unit in units_in_file(data) if unit.size > 0]


@pytest.mark.statement("S4-22")
def test_each_offset_has_a_message_of_its_own() -> None:
    kafka = grouped("2.3")
    simple(kafka).commit(5, 6, 7)
    assert sorted(keys(kafka)) == [OffsetKey("g", "t", n) for n in range(3)]


@pytest.mark.statement("S4-28", "S4-29")
def test_keys_and_values_are_binary_and_versioned() -> None:
    """The key is not "g-t-0", and a value has metadata and times, but no transaction id and size."""
    kafka = grouped("2.3")
    simple(kafka).commit(5, metadata="m")
    (record,) = kafka.records(TOPIC)
    assert record.key == offset_key(1, "g", "t", 0) == b"\0\1" + G + T + b"\0\0\0\0"
    now = NOW.to_bytes(8, "big")
    assert record.value == b"\0\3" + b"\0\0\0\0\0\0\0\5" + b"\xff\xff\xff\xff" + b"\0\1m" + now


# ---- what is committed stays, and is read at once


def three_brokers(release: str = "3.8", drafts: Sequence[str] = ()) -> FakeKafka:
    config = {"offsets.topic.num.partitions": 1, "offsets.topic.replication.factor": 3}
    kafka = FakeKafka(release, brokers=3, config=config, clock=ManualClock(NOW), topics={"t": 2}, drafts=drafts).boot()
    coordinator_is_there(kafka)
    return kafka


def leader_of(kafka: FakeKafka) -> int:
    return kafka.connect().core.cluster.topics[TOPIC].partitions[0].leader


def commit_to(kafka: FakeKafka, node_id: int, *offsets: int) -> set[int]:
    partitions = [OffsetCommitRequestPartition(partition_index=n, committed_offset=at) for n, at in enumerate(offsets)]
    topics = [OffsetCommitRequestTopic(name="t", partitions=partitions)]
    request = OffsetCommitRequest(group_id="g", generation_id_or_member_epoch=-1, topics=topics)
    done = answer(kafka, request, 2, OffsetCommitResponse, node_id)
    return {p.error_code for t in done.topics for p in t.partitions}


@pytest.mark.statement("S4-11")
@pytest.mark.statement("S4-19")
def test_a_committed_offset_survives_the_loss_of_its_broker() -> None:
    kafka = three_brokers()
    lost = leader_of(kafka)
    assert commit_to(kafka, lost, 5, 6) == {E.NONE}
    kafka.kill_broker(lost, unsynced="lost")
    assert leader_of(kafka) != lost
    assert {place: c.offset for place, c in kafka.committed("g").items()} == {("t", 0): 5, ("t", 1): 6}


@pytest.mark.statement("S4-18")
@pytest.mark.parametrize(("release", "drafts"), [("2.3", []), ("4.3", []), ("3.9", ["atomic-offset-log"])])
def test_fetches_are_served_from_memory_and_do_not_read_the_log(
    release: str, drafts: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kafka = FakeKafka(release, config=SMALL, clock=ManualClock(NOW), topics={"t": 3}, drafts=drafts).boot()
    coordinator_is_there(kafka)
    consumer = simple(kafka)
    consumer.commit(5, 6)

    def read(log: PartitionLog, *args: object, **kwargs: object) -> NoReturn:
        raise AssertionError("the log is read")

    monkeypatch.setattr(PartitionLog, "read", read)
    assert consumer.fetch(0, 1, 2) == [5, 6, -1]
    assert simple(kafka, "other").fetch(0) == [-1]


@pytest.mark.statement("S4-12")
def test_a_fetch_gives_what_was_committed_last() -> None:
    consumer = simple(grouped("2.3"))
    for offset in (5, 9, 3, 3, 7):
        consumer.commit(offset)
        assert consumer.fetch(0) == [offset]


@pytest.mark.statement("S4-26")
def test_the_answer_comes_when_all_replicas_have_the_commit() -> None:
    kafka = three_brokers()
    assert commit_to(kafka, leader_of(kafka), 5) == {E.NONE}
    brokers = kafka.connect().core.cluster.brokers.values()
    partitions = [broker.partitions[TOPIC, 0] for broker in brokers]
    assert [(p.log.log_end_offset, p.high_watermark) for p in partitions] == [(1, 1)] * 3


@pytest.mark.statement("S4-23")
def test_other_brokers_refuse_a_commit() -> None:
    """They do not pass it on: the client looks up the coordinator."""
    kafka = three_brokers()
    others = {0, 1, 2} - {leader_of(kafka)}
    assert [commit_to(kafka, node_id, 5) for node_id in others] == [{E.NOT_COORDINATOR}] * 2


@pytest.mark.statement("S4-23", "S4-37")
@pytest.mark.parametrize("release", ["0.10.2", "2.3", "4.3"])
def test_in_the_draft_any_broker_takes_commits_and_returns_offsets(release: str) -> None:
    kafka = three_brokers(release, drafts=["atomic-offset-log"])
    assert [commit_to(kafka, node_id, 5 + node_id) for node_id in range(3)] == [{E.NONE}] * 3
    assert {place: committed.offset for place, committed in kafka.committed("g").items()} == {("t", 0): 7}
    for node_id in range(3):
        asked = OffsetFetchRequest(group_id="g", topics=[OffsetFetchRequestTopic(name="t", partition_indexes=[0])])
        found = answer(kafka, asked, 1, OffsetFetchResponse, node_id=node_id)
        assert found.topics[0].partitions[0].committed_offset == 7


@pytest.mark.statement("S4-24")
def test_as_shipped_only_the_leader_keeps_the_map() -> None:
    """The others read their replica when they become the leader; in the draft, all of them keep the map."""
    kafka = three_brokers()
    leader = leader_of(kafka)
    commit_to(kafka, leader, 5)
    brokers = kafka.connect().core.cluster.brokers
    assert {node_id: len(coordinators_of(broker).groups.offsets) for node_id, broker in brokers.items()} == {
        node_id: int(node_id == leader) for node_id in (0, 1, 2)
    }


@pytest.mark.statement("S4-25", "S4-27")
def test_a_commit_that_fails_does_not_change_the_map() -> None:
    kafka = grouped("2.3")
    consumer = simple(kafka)
    consumer.commit(5)
    partition_of(kafka, 0, TOPIC).min_in_sync = 2
    assert consumer.commit(6) == [E.COORDINATOR_NOT_AVAILABLE]
    assert consumer.fetch(0) == [5]
    assert len(keys(kafka)) == 1
