"""Commits that name topics without partitions, and topics and partitions twice. Recorded: odd_requests."""

from typing import TypeAlias

import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetCommitResponse,
)
from fakekafka.wire.apis.txn_offset_commit import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
    TxnOffsetCommitResponse,
)

from tests.support.brokers import answer
from tests.support.group_clients import coordinator_is_there, grouped
from tests.support.transaction_clients import transactional

Answer: TypeAlias = list[tuple[str, list[tuple[int, int]]]]
TOO_LONG = "m" * 4097


def committed(kafka: FakeKafka, version: int, *topics: tuple[str, list[tuple[int, int, str]]]) -> Answer:
    """The errors by topic; a partition is asked for as index, offset and metadata."""
    request = OffsetCommitRequest(
        group_id="g",
        generation_id_or_member_epoch=-1,
        retention_time_ms=-1,
        topics=[
            OffsetCommitRequestTopic(
                name=name,
                partitions=[
                    OffsetCommitRequestPartition(partition_index=n, committed_offset=offset, committed_metadata=text)
                    for n, offset, text in partitions
                ],
            )
            for name, partitions in topics
        ],
    )
    response = answer(kafka, request, version, OffsetCommitResponse)
    return [(t.name, [(p.partition_index, p.error_code) for p in t.partitions]) for t in response.topics]


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        ("0.9.0", [("t", [(0, 0)])]),
        ("3.4", [("t", [(0, 0)])]),
        ("3.5", [("nope", []), ("t", [(0, 0)])]),
        ("4.3", [("nope", []), ("t", [(0, 0)])]),
    ],
)
def test_a_topic_without_partitions_is_answered_from_3_5_on_if_it_does_not_exist(
    release: str, expected: Answer
) -> None:
    kafka = grouped(release)
    assert committed(kafka, 2, ("nope", []), ("t", [(0, 5, "")])) == expected
    assert committed(kafka, 2, ("t", [])) == []


@pytest.mark.parametrize(
    ("release", "expected", "offset"),
    [
        ("0.9.0", [("t", [(0, 0)])], 9),
        ("3.9", [("t", [(0, 0)])], 9),
        ("4.0", [("t", [(0, 12)]), ("t", [(0, 0)])], 9),
    ],
)
def test_what_was_said_last_of_a_partition_counts(release: str, expected: Answer, offset: int) -> None:
    kafka = grouped(release)
    assert committed(kafka, 2, ("t", [(0, 7, TOO_LONG)]), ("t", [(0, 9, "")])) == expected
    assert kafka.committed("g")["t", 0].offset == offset


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        ("2.0", [("t", [(0, 0), (9, 3)]), ("nope", [(0, 3), (1, 3)])]),
        ("3.5", [("nope", [(0, 3), (0, 3), (1, 3)]), ("t", [(9, 3), (0, 0)])]),
        ("4.3", [("nope", [(0, 3), (0, 3), (1, 3)]), ("t", [(9, 3), (0, 0), (0, 0)])]),
    ],
)
def test_what_does_not_exist_is_answered_first_and_in_one_entry_from_3_5_on(release: str, expected: Answer) -> None:
    two, one = [(0, 5, ""), (0, 5, "")], [(0, 5, "")]
    asked = ("nope", two), ("t", one), ("nope", [(1, 5, "")]), ("t", [(0, 5, ""), (9, 5, "")])
    assert committed(grouped(release), 2, *asked) == expected


@pytest.mark.parametrize("release", ["3.3", "3.8"])
def test_kraft_refuses_version_0_only_if_something_exists(release: str) -> None:
    kafka = grouped(release)
    assert committed(kafka, 0, ("nope", [(0, 5, "")])) == [("nope", [(0, 3)])]
    mixed = committed(kafka, 0, ("nope", []), ("t", [(0, 5, ""), (0, 6, "")]))
    assert mixed == [("nope", []), ("t", [(0, 35), (0, 35)])]


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        ("2.3", [("t", [(0, 0)])]),
        ("3.6", [("nope", []), ("t", [(0, 0)])]),
        ("4.3", [("nope", []), ("t", [(0, 49), (0, 49)])]),
    ],
)
def test_commits_in_transactions_are_kept_alike(release: str, expected: Answer) -> None:
    one = TxnOffsetCommitRequestPartition(partition_index=0, committed_offset=5, committed_leader_epoch=-1)
    topics = [
        TxnOffsetCommitRequestTopic(name="nope", partitions=[]),
        TxnOffsetCommitRequestTopic(name="t", partitions=[one, one]),
    ]
    request = TxnOffsetCommitRequest(transactional_id="x", group_id="g", producer_id=7, producer_epoch=0, topics=topics)
    kafka = transactional(release)
    coordinator_is_there(kafka)
    response = answer(kafka, request, 0, TxnOffsetCommitResponse)
    assert [(t.name, [(p.partition_index, p.error_code) for p in t.partitions]) for t in response.topics] == expected
