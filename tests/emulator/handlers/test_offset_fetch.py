from collections.abc import Sequence

import pytest
from fakekafka import FakeKafka
from fakekafka.cluster.internal_topics import Producer
from fakekafka.coordinators.groups.offsets.commits import Commit
from fakekafka.coordinators.groups.offsets.store import Committed
from fakekafka.errors import ErrorCode
from fakekafka.ids import ZERO_UUID
from fakekafka.wire.apis.offset_fetch import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopic,
    OffsetFetchRequestTopics,
    OffsetFetchResponse,
)
from fakekafka.wire.frames import request_frame

from tests.support.brokers import answer
from tests.support.group_clients import coordinator_of, grouped, simple
from tests.support.seeded import NOW, broker_of

E = ErrorCode
Row = tuple[str, int, int, str, int]
"""Topic, partition, offset, metadata, error."""


def fetch(
    kafka: FakeKafka,
    version: int,
    topics: Sequence[tuple[str, list[int]]] | None,
    group: str = "g",
    stable: bool = False,
) -> list[Row]:
    """The answer to a request about one group."""
    named = None if topics is None else [OffsetFetchRequestTopic(name=t, partition_indexes=p) for t, p in topics]
    request = OffsetFetchRequest(group_id=group, topics=named, require_stable=stable)
    done = answer(kafka, request, version, OffsetFetchResponse)
    assert done.error_code == 0
    return [
        (t.name, p.partition_index, p.committed_offset, p.metadata or "", p.error_code)
        for t in done.topics
        for p in t.partitions
    ]


def group_of(name: str, *partitions: int, topic: str = "t", id: bytes = ZERO_UUID) -> OffsetFetchRequestGroup:
    topics = [OffsetFetchRequestTopics(name=topic, topic_id=id, partition_indexes=list(partitions))]
    return OffsetFetchRequestGroup(group_id=name, topics=topics)


def several(
    kafka: FakeKafka, version: int, *groups: OffsetFetchRequestGroup, stable: bool = False
) -> list[tuple[str, int, list[tuple[str, int, int, int]]]]:
    """The answer to a request about several groups: name, error, partitions."""
    done = answer(kafka, OffsetFetchRequest(groups=list(groups), require_stable=stable), version, OffsetFetchResponse)
    return [
        (
            g.group_id,
            g.error_code,
            [(t.name, p.partition_index, p.committed_offset, p.error_code) for t in g.topics for p in t.partitions],
        )
        for g in done.groups
    ]


@pytest.mark.parametrize(("release", "version"), [("0.8.2", 1), ("0.10.2", 2), ("2.1", 5), ("3.8", 7), ("4.3", 7)])
def test_an_offset_that_was_not_committed_is_minus_one(release: str, version: int) -> None:
    kafka = grouped(release)
    simple(kafka).commit(5, 6, metadata="m")
    assert fetch(kafka, version, [("t", [1, 2])]) == [("t", 1, 6, "m", 0), ("t", 2, -1, "", 0)]
    assert fetch(kafka, version, [("t", [0])], group="nobody") == [("t", 0, -1, "", 0)]


@pytest.mark.parametrize(("release", "error"), [("0.8.2", E.UNKNOWN_TOPIC_OR_PARTITION), ("0.9.0", E.NONE)])
def test_a_missing_topic_or_partition_is_an_error_only_in_0_8_2(release: str, error: ErrorCode) -> None:
    kafka = grouped(release)
    assert set(fetch(kafka, 1, [("t", [0, 99]), ("nope", [0])])) == {
        ("t", 0, -1, "", 0),
        ("t", 99, -1, "", error),
        ("nope", 0, -1, "", error),
    }


def test_the_leader_epoch_exists_since_version_5() -> None:
    kafka = grouped("3.8")
    coordinator_of(kafka).offset_manager.store("g", [Commit("t", 0, Committed(5, 3, "", NOW))])
    request = OffsetFetchRequest(group_id="g", topics=[OffsetFetchRequestTopic(name="t", partition_indexes=[0])])
    (topic,) = answer(kafka, request, 5, OffsetFetchResponse).topics
    assert topic.partitions[0].committed_leader_epoch == 3


# ---- everything


@pytest.mark.parametrize("version", [2, 7])
def test_null_topics_ask_for_all_offsets(version: int) -> None:
    kafka = grouped("3.8")
    simple(kafka).commit(5, 6)
    assert fetch(kafka, version, None) == [("t", 1, 6, "", 0), ("t", 0, 5, "", 0)]
    assert fetch(kafka, version, []) == []


@pytest.mark.parametrize(("release", "count"), [("0.8.2", 0), ("0.9.0", 2), ("0.10.1", 2), ("0.10.2", 0)])
def test_an_empty_list_of_topics_asks_for_all_offsets_from_0_9_0_to_0_10_1(release: str, count: int) -> None:
    kafka = grouped(release)
    simple(kafka).commit(5, 6)
    assert len(fetch(kafka, 1, [])) == len(fetch(kafka, 1, [("t", [])])) == count


@pytest.mark.parametrize(("release", "names"), [("3.9", []), ("4.0", ["t"])])
def test_a_topic_without_partitions_is_named_in_some_releases(release: str, names: list[str]) -> None:
    kafka = grouped(release)
    request = OffsetFetchRequest(group_id="g", topics=[OffsetFetchRequestTopic(name="t", partition_indexes=[])])
    assert [t.name for t in answer(kafka, request, 5, OffsetFetchResponse).topics] == names


# ---- where it is


@pytest.mark.parametrize(
    ("release", "errors"), [("2.3", [16]), ("3.4", [16]), ("3.5", []), ("4.0.1", []), ("4.0.2", [16]), ("4.3", [16])]
)
def test_version_1_is_refused_by_an_answer_without_topics_from_3_5_to_4_0_1(release: str, errors: list[int]) -> None:
    """Recorded from 3.4.0 to 4.1.0: offsets_topic_deleted."""
    kafka = grouped(release)
    coordinator_of(kafka).unload(0)
    request = OffsetFetchRequest(group_id="g", topics=[OffsetFetchRequestTopic(name="t", partition_indexes=[0])])
    topics = answer(kafka, request, 1, OffsetFetchResponse).topics
    assert [p.error_code for topic in topics for p in topic.partitions] == errors


@pytest.mark.parametrize(("version", "expected"), [(1, [("t", 0, -1, "", E.NOT_COORDINATOR)]), (5, [])])
def test_a_group_of_another_coordinator_is_an_error(version: int, expected: list[Row]) -> None:
    kafka = grouped("3.4")
    coordinator_of(kafka).unload(0)
    request = OffsetFetchRequest(group_id="g", topics=[OffsetFetchRequestTopic(name="t", partition_indexes=[0])])
    done = answer(kafka, request, version, OffsetFetchResponse)
    assert done.error_code == (E.NONE if version == 1 else E.NOT_COORDINATOR)
    assert [p.error_code for t in done.topics for p in t.partitions] == [row[4] for row in expected]
    assert several(kafka, 8, group_of("g", 0)) == [("g", E.NOT_COORDINATOR, [])]


@pytest.mark.parametrize("release", ["0.8.1", "0.9.0", "2.0"])
def test_version_0_reads_from_zookeeper(release: str) -> None:
    kafka = FakeKafka(release, topics={"t": 4}).boot()
    broker_of(kafka).cluster.zookeeper_offsets.put("g", "t", 1, 7)
    broker_of(kafka).cluster.zookeeper_offsets.put("g", "nope", 0, 7)
    assert fetch(kafka, 0, [("t", [1, 2]), ("nope", [0])]) == [
        ("t", 1, 7, "", 0),
        ("t", 2, -1, "", E.UNKNOWN_TOPIC_OR_PARTITION),
        ("nope", 0, -1, "", E.UNKNOWN_TOPIC_OR_PARTITION),
    ]


def test_kraft_refuses_version_0() -> None:
    assert fetch(grouped("3.8"), 0, [("t", [0])]) == [("t", 0, -1, "", E.UNSUPPORTED_VERSION)]


# ---- several groups


def test_several_groups_are_answered_one_by_one() -> None:
    kafka = grouped("3.8")
    simple(kafka, "a").commit(5)
    simple(kafka, "b").commit(6)
    everything = OffsetFetchRequestGroup(group_id="b", topics=None)
    assert several(kafka, 8, group_of("a", 0, 1), everything) == [
        ("a", 0, [("t", 0, 5, 0), ("t", 1, -1, 0)]),
        ("b", 0, [("t", 0, 6, 0)]),
    ]


@pytest.mark.parametrize(("release", "expected"), [("3.4", [[1]]), ("3.5", [[0], [1]]), ("4.3", [[0], [1]])])
def test_a_group_that_is_named_twice_is_answered_once_or_twice(release: str, expected: list[list[int]]) -> None:
    kafka = grouped(release)
    found = several(kafka, 8, group_of("g", 0), group_of("g", 1))
    assert [[partition for _, partition, _, _ in partitions] for _, _, partitions in found] == expected


@pytest.mark.parametrize(("release", "hangs"), [("4.0", True), ("4.1", False)])
def test_a_request_without_groups_is_answered_or_hangs_by_release(release: str, hangs: bool) -> None:
    client = grouped(release).connect()
    data = client.send(request_frame(OffsetFetchRequest(groups=[]), 8, 1, "test"))
    assert (data == b"") == hangs


def test_topics_are_named_by_id_in_version_10() -> None:
    kafka = grouped("4.3")
    simple(kafka).commit(5)
    known, unknown = broker_of(kafka).cluster.topics["t"].id, bytes(range(16))
    request = OffsetFetchRequest(
        groups=[
            group_of("g", 0, topic="", id=known),
            group_of("h", 0, topic="", id=unknown),
            OffsetFetchRequestGroup(group_id="g", topics=None),
        ]
    )
    groups = answer(kafka, request, 10, OffsetFetchResponse).groups
    found = [(t.topic_id, p.committed_offset, p.error_code) for g in groups for t in g.topics for p in t.partitions]
    assert found == [(known, 5, E.NONE), (unknown, -1, E.UNKNOWN_TOPIC_ID), (known, 5, E.NONE)]


# ---- transactions


def test_a_pending_offset_is_not_stable() -> None:
    kafka = grouped("3.8")
    simple(kafka).commit(5)
    in_transaction = Producer(1, 0, 0)
    pending = [Commit("t", n, Committed(9, -1, "", NOW)) for n in (0, 1)]
    coordinator_of(kafka).offset_manager.store("g", pending, in_transaction)
    asked = [("t", [0, 1, 2])]
    assert fetch(kafka, 7, asked) == [("t", 0, 5, "", 0), ("t", 1, -1, "", 0), ("t", 2, -1, "", 0)]
    assert fetch(kafka, 7, asked, stable=True) == [
        ("t", 0, -1, "", E.UNSTABLE_OFFSET_COMMIT),
        ("t", 1, -1, "", E.UNSTABLE_OFFSET_COMMIT),
        ("t", 2, -1, "", 0),
    ]
    assert fetch(kafka, 7, None, stable=True) == [("t", 0, -1, "", E.UNSTABLE_OFFSET_COMMIT)]


@pytest.mark.parametrize(("release", "error"), [("2.5.0", 88), ("3.7.0", 88), ("3.7.1", 0)])
def test_up_to_3_7_0_a_commit_that_was_refused_beside_others_is_unstable(release: str, error: int) -> None:
    """KAFKA-16371. Recorded from 2.5.0 to 3.7.1: patch_questions."""
    kafka = grouped(release, offset_metadata_max_bytes=16)
    manager = coordinator_of(kafka).offset_manager
    commits = [Commit("t", n, Committed(5, -1, metadata, NOW)) for n, metadata in enumerate(("m", "x" * 17))]
    assert manager.store("g", commits[1:]) == [E.OFFSET_METADATA_TOO_LARGE]
    assert fetch(kafka, 7, [("t", [1])], stable=True) == [("t", 1, -1, "", 0)]
    assert manager.store("g", commits) == [E.NONE, E.OFFSET_METADATA_TOO_LARGE]
    assert fetch(kafka, 7, [("t", [0, 1])], stable=True) == [("t", 0, 5, "m", 0), ("t", 1, -1, "", error)]
    assert manager.store("g", [Commit("t", 1, Committed(6, -1, "m", NOW))]) == [E.NONE]
    assert fetch(kafka, 7, [("t", [1])], stable=True) == [("t", 1, 6, "m", 0)]
