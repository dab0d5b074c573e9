"""Who may commit into a streams group."""

import pytest
from fakekafka.coordinators.groups.streams.commits import (
    refusal_of_commit,
    refusal_of_fetch,
    refusal_of_partition,
    refusal_of_txn_commit,
)
from fakekafka.coordinators.groups.streams.group import StreamsGroup
from fakekafka.coordinators.groups.streams.member import Owned, StreamsMember
from fakekafka.errors import ErrorCode

from tests.emulator.coordinators.groups.streams.test_group import TOPOLOGY

NONE, STALE = ErrorCode.NONE, ErrorCode.STALE_MEMBER_EPOCH
UNKNOWN, OLD = ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.UNSUPPORTED_VERSION


@pytest.fixture
def group() -> StreamsGroup:
    group = StreamsGroup("g", 1)
    group.topology = TOPOLOGY
    group.put(StreamsMember("m", epoch=5, assigned=Owned({("0", 0): 3}), revoking=Owned({("0", 1): 2})))
    return group


def test_members_commit_in_epochs_up_to_their_own(group: StreamsGroup) -> None:
    assert [refusal_of_commit(group, epoch, "m", 9) for epoch in (-1, 4, 5, 6)] == [NONE, NONE, NONE, STALE]
    assert refusal_of_commit(group, 5, "m", 8) is OLD
    assert refusal_of_commit(group, 5, "n", 8) is UNKNOWN
    assert refusal_of_commit(group, -1, "", 9) is UNKNOWN
    assert refusal_of_commit(StreamsGroup("e", 1), -1, "", 2) is NONE


@pytest.mark.parametrize(
    ("epoch", "topic", "partition", "error"),
    [
        (5, "u", 9, NONE),
        (4, "t", 0, NONE),
        (2, "t", 0, STALE),
        (2, "t", 1, NONE),
        (4, "t", 2, STALE),
        (4, "u", 0, STALE),
    ],
)
def test_in_older_epochs_only_for_tasks_that_they_had(
    group: StreamsGroup, epoch: int, topic: str, partition: int, error: ErrorCode
) -> None:
    assert refusal_of_partition(group, epoch, "m", topic, partition) is error


def test_transactions_may_be_anonymous(group: StreamsGroup) -> None:
    assert refusal_of_txn_commit(group, -1, "", None) is NONE
    assert refusal_of_txn_commit(group, -1, "n", None) is UNKNOWN
    assert refusal_of_txn_commit(group, 6, "m", None) is ErrorCode.ILLEGAL_GENERATION
    assert refusal_of_txn_commit(group, 4, "m", None) is NONE


def test_members_read_in_their_own_epoch(group: StreamsGroup) -> None:
    assert [refusal_of_fetch(group, epoch, "m") for epoch in (4, 5)] == [STALE, NONE]
    assert refusal_of_fetch(group, -1, None) is NONE
    assert refusal_of_fetch(group, 0, None) is UNKNOWN
