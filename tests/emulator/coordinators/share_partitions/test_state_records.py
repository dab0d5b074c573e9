"""The state that is kept for a share partition, and its records."""

from fakekafka.coordinators.share_partitions.state_records import (
    Change,
    SharePartitionKey,
    Span,
    State,
    joined,
    merged,
    replay,
    snapshot,
    tombstone,
    update,
    updated,
)

PLACE = SharePartitionKey("g", bytes(range(16)), 3)
STATE = State(1, 4, 5, (Span(5, 6, 0, 1),), 0, 1000, 2, 2)
CHANGE = Change(6, (Span(6, 8, 2, 2),), 3)


def test_the_key_of_a_share_partition_is_text() -> None:
    assert PLACE.key == "g:AAECAwQFBgcICQoLDA0ODw:3"


def test_a_snapshot_restores_the_state() -> None:
    states: dict[SharePartitionKey, State] = {}
    replay(states, *snapshot(PLACE, STATE, 2000))
    assert states == {PLACE: STATE}


def test_an_update_is_applied_to_the_snapshot() -> None:
    states = {PLACE: STATE}
    replay(states, *update(PLACE, 1, CHANGE, 3))
    assert states == {PLACE: updated(STATE, CHANGE, 3)}
    assert states[PLACE].spans == (Span(6, 8, 2, 2),)
    assert (states[PLACE].leader_epoch, states[PLACE].fence, states[PLACE].updates) == (3, 3, 1)


def test_an_update_without_a_start_leaves_the_start_unchanged() -> None:
    assert updated(STATE, Change(-1), 2).start == 5


def test_a_write_of_an_older_leader_does_not_lower_the_fence() -> None:
    assert updated(STATE, CHANGE, -1).fence == 2


def test_an_update_of_an_unknown_state_is_skipped() -> None:
    states: dict[SharePartitionKey, State] = {}
    replay(states, *update(PLACE, 1, CHANGE, 3))
    assert not states


def test_a_tombstone_removes_the_state() -> None:
    states = {PLACE: STATE}
    replay(states, *tombstone(PLACE))
    assert not states


def test_of_overlapping_spans_more_deliveries_win_and_then_the_later_state() -> None:
    old = [Span(0, 3, 2, 1), Span(4, 5, 0, 3)]
    assert merged(old, [Span(2, 4, 0, 2)], 1) == (Span(1, 1, 2, 1), Span(2, 3, 0, 2), Span(4, 5, 0, 3))
    assert merged([Span(0, 0, 0, 1)], [Span(0, 0, 2, 1)], 0) == (Span(0, 0, 2, 1),)


def test_neighbours_in_one_state_are_one_span() -> None:
    assert joined([(1, 0, 1), (2, 0, 1), (3, 0, 2), (5, 0, 2)]) == [
        Span(1, 2, 0, 1),
        Span(3, 3, 0, 2),
        Span(5, 5, 0, 2),
    ]
