"""Facts: what brokers of these releases answered in recordings (internal_questions, offsets, txn_commit_questions)."""

from collections.abc import Iterable

import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetCommitResponse,
)
from fakekafka.wire.apis.offset_delete import (
    OffsetDeleteRequest,
    OffsetDeleteRequestPartition,
    OffsetDeleteRequestTopic,
    OffsetDeleteResponse,
)
from fakekafka.wire.apis.txn_offset_commit import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
    TxnOffsetCommitResponse,
)

from tests.support.brokers import answer
from tests.support.group_clients import grouped, simple
from tests.support.transaction_clients import TransactionalProducer, transactional

EIGHT = range(8)
UNSORTED = [5, 0, 7, 2, 6, 1, 4, 3]


def committed(kafka: FakeKafka, *topics: tuple[str, Iterable[int]], version: int = 2) -> list[tuple[str, list[int]]]:
    """The partitions in the order in which the commit of their offsets is answered."""
    rows = [
        OffsetCommitRequestTopic(
            name=name,
            partitions=[OffsetCommitRequestPartition(partition_index=index, committed_offset=1) for index in indexes],
        )
        for name, indexes in topics
    ]
    request = OffsetCommitRequest(group_id="g", generation_id_or_member_epoch=-1, member_id="", topics=rows)
    done = answer(kafka, request, version, OffsetCommitResponse)
    return [(topic.name, [partition.partition_index for partition in topic.partitions]) for topic in done.topics]


@pytest.mark.parametrize(
    ("release", "order"),
    [
        ("0.8.2", [1, 2, 3, 7, 0, 5, 4, 6]),
        ("0.10.2", list(EIGHT)),
        ("2.2", list(EIGHT)),
        ("2.3", [5, 4, 6, 3, 2, 1, 7, 0]),
        ("2.4", [5, 4, 6, 3, 2, 1, 7, 0]),
        ("3.5", [3, 2, 0, 5, 1, 6, 4, 7]),
        ("3.9", [3, 2, 0, 5, 1, 6, 4, 7]),
        ("4.0", UNSORTED),
    ],
)
def test_commits_are_answered_in_the_order_of_the_releases_maps(release: str, order: list[int]) -> None:
    version = 1 if release == "0.8.2" else 2
    assert committed(grouped(release), ("t", UNSORTED), version=version) == [("t", order)]


@pytest.mark.parametrize(
    ("release", "version", "order"),
    [
        ("0.9.0", 2, [("beta", [1, 0, 2]), ("alpha", [1, 0, 2])]),
        ("2.1", 6, [("alpha", [0, 1, 2]), ("beta", [0, 1, 2])]),
        ("2.3", 7, [("alpha", [2, 1, 0]), ("beta", [1, 0, 2])]),
        ("2.4", 8, [("alpha", [2, 0, 1]), ("beta", [0, 2, 1])]),
        ("3.9", 9, [("alpha", [2, 1, 0]), ("beta", [2, 0, 1])]),
        ("4.1", 9, [("alpha", [2, 0, 1]), ("beta", [2, 0, 1])]),
    ],
)
def test_commits_of_several_topics_are_in_order_too(
    release: str, version: int, order: list[tuple[str, list[int]]]
) -> None:
    kafka = grouped(release)
    for name in ("alpha", "beta"):
        kafka.create_topic(name, 3)
    assert committed(kafka, ("alpha", [2, 0, 1]), ("beta", [2, 0, 1]), version=version) == order


@pytest.mark.parametrize(
    ("release", "order"), [("2.4", [("t", [0, 99]), ("nope", [0])]), ("4.3", [("t", [99, 0]), ("nope", [0])])]
)
def test_partitions_that_do_not_exist_come_last_and_in_newer_releases_first(
    release: str, order: list[tuple[str, list[int]]]
) -> None:
    assert committed(grouped(release), ("t", [0, 99]), ("nope", [0])) == order


def test_topics_of_which_something_does_not_exist_come_in_the_order_of_the_request() -> None:
    """As recorded from 4.3.1: random_odd."""
    assert committed(grouped("4.3"), ("t", []), ("nope", []), ("t", [1])) == [("nope", []), ("t", [1])]


@pytest.mark.parametrize(
    ("release", "order"),
    [
        ("2.3", [0, 1, 2, 3, 4, 5, 6, 7]),
        ("2.4", [5, 4, 6, 3, 2, 1, 7, 0]),
        ("3.3", [5, 4, 3, 2, 1, 0, 7, 6]),
        ("3.5", [3, 2, 0, 5, 1, 6, 4, 7]),
        ("4.3", list(EIGHT)),
    ],
)
def test_commits_in_transactions_pass_other_maps(release: str, order: list[int]) -> None:
    kafka = transactional(release, partitions=8)
    producer = TransactionalProducer(kafka).initialised()
    producer.add_offsets()
    topic = TxnOffsetCommitRequestTopic(
        name="t",
        partitions=[
            TxnOffsetCommitRequestPartition(partition_index=index, committed_offset=1, committed_metadata="")
            for index in EIGHT
        ],
    )
    request = TxnOffsetCommitRequest(
        transactional_id="x", group_id="g", producer_id=producer.id, producer_epoch=producer.epoch, topics=[topic]
    )
    (done,) = answer(kafka, request, 2, TxnOffsetCommitResponse).topics
    assert [partition.partition_index for partition in done.partitions] == order


@pytest.mark.parametrize("release", ["2.7", "3.5", "4.3"])
def test_offsets_that_cannot_be_deleted_come_first(release: str) -> None:
    kafka = grouped(release)
    simple(kafka).commit(*EIGHT)
    topic = OffsetDeleteRequestTopic(
        name="t", partitions=[OffsetDeleteRequestPartition(partition_index=index) for index in (0, 7, 99)]
    )
    (done,) = answer(kafka, OffsetDeleteRequest(group_id="g", topics=[topic]), 0, OffsetDeleteResponse).topics
    assert [partition.partition_index for partition in done.partitions] == [99, 0, 7]
