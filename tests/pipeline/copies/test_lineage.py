"""Where a broker truncates its log to follow another, by the epochs of both (KIP-101, KIP-279)."""

import pytest
from fakekafka.log.leader_epochs import EpochEntry
from fakekafka_spark.copies.lineage import Lineage, leading


def line(end: int, *starts: tuple[int, int]) -> Lineage:
    return Lineage.of([EpochEntry(*start) for start in starts], end)


@pytest.mark.parametrize(
    ("follower", "leader", "expected"),
    [
        (line(10, (0, 0)), line(20, (0, 0)), None),  # behind
        (line(15, (0, 0)), line(20, (0, 0), (1, 10)), 10),  # its last records were replaced
        (line(9, (0, 0)), line(20, (0, 0), (1, 10)), None),
        (line(30, (0, 0), (1, 10)), line(25, (0, 0), (2, 20)), 10),  # the leader never had epoch 1
        (line(30, (0, 0), (1, 10), (2, 25)), line(40, (0, 0), (1, 10), (3, 20)), 20),
        (line(30, (0, 0), (2, 25)), line(40, (0, 0), (1, 20), (3, 30)), 20),
        (line(30), line(20, (0, 0)), None),  # without epochs
        (line(30, (0, 0)), line(20), None),
    ],
)
def test_a_follower_truncates_what_its_leader_does_not_have(
    follower: Lineage, leader: Lineage, expected: int | None
) -> None:
    assert follower.truncated_by(leader) == expected


def test_an_epoch_that_a_lower_one_follows_is_left_out() -> None:
    assert line(30, (0, 0), (900, 10), (1, 20)).epochs == ((0, 0), (1, 20))


def test_the_epoch_at_an_offset_is_known_within_the_log() -> None:
    some = line(30, (0, 5), (3, 20))
    assert [some.at(offset) for offset in (4, 5, 19, 20, 29, 30)] == [-1, 0, 0, 3, 3, -1]


def test_the_highest_epoch_leads_and_then_the_longest_log() -> None:
    assert leading([line(90, (0, 0)), line(20, (1, 0)), line(30, (1, 0))]) == 2
