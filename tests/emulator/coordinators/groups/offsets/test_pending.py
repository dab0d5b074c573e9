import pytest
from fakekafka.coordinators.groups.offsets.pending import PendingOffsets, until_unwritten
from fakekafka.coordinators.groups.offsets.store import Committed
from fakekafka.ids import NO_OFFSET, NO_PRODUCER_ID

KEY, OTHER = ("g", "t", 0), ("h", "t", 1)
ONE, TWO = Committed(1, -1, "", 0), Committed(2, -1, "", 0)


def test_pending_offsets_of_a_producer_are_removed_at_the_end() -> None:
    pending = PendingOffsets()
    pending.add(7, KEY, 10, ONE)
    pending.add(7, KEY, 11, TWO)
    assert (bool(pending), pending.has(*KEY), pending.groups(), list(pending.of_group("g"))) == (
        True,
        True,
        {"g"},
        [("t", 0)],
    )
    assert pending.complete(8, {"g"}) == []
    assert pending.complete(7, {"g"}) == [(KEY, 11, TWO)]
    assert (bool(pending), pending.has(*KEY), pending.complete(7, {"g"})) == (False, False, [])


def test_a_marker_decides_about_the_groups_of_its_partition_only() -> None:
    pending = PendingOffsets()
    pending.add(7, KEY, 10, ONE)
    pending.add(7, OTHER, 10, TWO)
    assert pending.complete(7, {"h"}) == [(OTHER, 10, TWO)]
    assert pending.groups() == {"g"}


def test_a_later_commit_is_not_undone() -> None:
    pending = PendingOffsets()
    pending.add(7, KEY, 10, ONE)
    pending.supersede(KEY, 9)
    pending.supersede(OTHER, 12)
    assert pending.complete(7, {"g"}) == [(KEY, 10, ONE)]
    pending.add(7, KEY, 10, ONE)
    pending.supersede(KEY, 11)
    assert pending.complete(7, {"g"}) == []
    assert not pending


def test_a_newer_commit_of_the_transaction_counts_again() -> None:
    pending = PendingOffsets()
    pending.add(7, KEY, 10, ONE)
    pending.supersede(KEY, 11)
    pending.add(7, KEY, 12, TWO)
    assert pending.complete(7, {"g"}) == [(KEY, 12, TWO)]


def test_partitions_and_groups_can_be_forgotten() -> None:
    pending = PendingOffsets()
    for producer in (7, 8):
        pending.add(producer, KEY, 10, ONE)
        pending.add(producer, OTHER, 10, ONE)
    pending.remove(*KEY)
    assert [pending.has(*key) for key in (KEY, OTHER)] == [False, True]
    pending.remove_groups({"h"})
    assert not pending


def test_a_transaction_stays_open_in_a_group_whose_offsets_were_forgotten() -> None:
    pending = PendingOffsets()
    for producer in (7, 8):
        pending.add(producer, KEY, 10, ONE)
    pending.remove(*KEY)
    assert pending.groups() == {"g"}
    pending.complete(7, {"g"})
    assert pending.is_open("g")
    pending.complete(8, {"h"})
    assert pending.is_open("g")
    pending.complete(8, {"g"})
    assert not pending.is_open("g")


@pytest.mark.parametrize("way", ["close", "remove_groups"])
def test_a_deleted_group_is_no_longer_open(way: str) -> None:
    pending = PendingOffsets()
    pending.add(7, KEY, 10, ONE)
    pending.remove(*KEY)
    getattr(pending, way)({"g"})
    assert not pending.is_open("g")


def test_pending_offsets_can_take_over_those_of_another_object() -> None:
    pending, loaded = PendingOffsets(), PendingOffsets()
    loaded.add(7, KEY, 10, ONE)
    loaded.add(7, OTHER, 10, TWO)
    loaded.supersede(KEY, 11)
    pending.absorb(loaded)
    assert pending.complete(7, {"g", "h"}) == [(OTHER, 10, TWO)]
    pending.absorb(loaded)
    pending.clear()
    assert not pending


REFUSED = ("g", "t", 1), NO_OFFSET, TWO
WRITTEN = KEY, 10, ONE


def test_a_marker_applies_what_the_map_has_before_a_refused_offset() -> None:
    assert until_unwritten([WRITTEN], "map of 2.13") == [WRITTEN]
    assert until_unwritten([WRITTEN, REFUSED], "map of 2.13") == []  # partition 1 comes before partition 0
    before = ("g", "t", 2), 11, ONE
    assert until_unwritten([WRITTEN, before, REFUSED], "map of 2.13") == [before]


def test_a_refused_commit_is_left_until_one_is_written_or_the_offset_is_forgotten() -> None:
    pending = PendingOffsets()
    for key in (KEY, OTHER):
        pending.add(NO_PRODUCER_ID, key, NO_OFFSET, ONE)
    assert list(pending.refused("g")) == [("t", 0)]
    pending.settle(KEY, 12)
    assert not pending.is_open("g")
    pending.remove(*OTHER)
    assert not pending.is_open("h")
