"""Which batches of a producer are accepted, what is remembered about them, and what transactions do."""

import pytest
from fakekafka.errors import ErrorCode
from fakekafka.ids import NO_OFFSET
from fakekafka.log.append_info import Origin
from fakekafka.log.producer import KeptBatch
from fakekafka.log.producer_snapshot import SnapshotEntry
from fakekafka.log.producer_state import CompletedTxn, ProducerState, Refused, Update
from fakekafka.records import v2
from fakekafka.records.v2 import RecordBatch
from hypothesis import given
from hypothesis import strategies as st

from tests.emulator.log.batches import Set, batch, marker, rules

RELEASES = ["0.11.0", "1.0", "1.1", "2.0", "2.3", "2.4", "2.5", "2.8", "3.9", "4.1"]
DAY = 86_400_000


def tell(state: ProducerState, *sets: Set) -> ErrorCode | KeptBatch:
    """Append sets; return the result of the last one."""
    result: Update | Refused = Update({}, [], [])
    for _, info in sets:
        result = state.check(info.batches, info.origin)
        if isinstance(result, Refused):
            return result.duplicate or result.error
        state.apply(result)
        for transaction in result.completed:
            state.complete(transaction)
    return ErrorCode.NONE


def after(release: str, *sets: Set) -> ProducerState:
    state = ProducerState(rules(release))
    assert tell(state, *sets) == ErrorCode.NONE
    return state


def sent(offset: int, sequence: int, count: int = 1, epoch: int = 0, transactional: bool = False) -> Set:
    times = [1000 + offset] * count
    return batch(offset, *times, producer=7, sequence=sequence, producer_epoch=epoch, transactional=transactional)


@pytest.mark.parametrize("release", RELEASES)
def test_sequences_follow_each_other(release: str) -> None:
    state = after(release, sent(0, 0, 3), sent(3, 3), sent(4, 4, 2))
    assert tell(state, sent(6, 7)) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert tell(state, sent(6, 6)) == ErrorCode.NONE


@pytest.mark.parametrize("release", RELEASES)
def test_the_last_batches_may_be_sent_again(release: str) -> None:
    state = after(release, *(sent(n, n) for n in range(7)))
    newest = tell(state, sent(99, 6))
    assert isinstance(newest, KeptBatch)
    assert (newest.first_offset, newest.last_offset, newest.timestamp) == (6, 6, 1006)
    fifth = tell(state, sent(99, 2))
    assert isinstance(fifth, KeptBatch) is (release != "0.11.0")
    assert tell(state, sent(99, 1)) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER


@pytest.mark.parametrize("release", RELEASES)
def test_a_part_of_a_batch_is_not_a_duplicate(release: str) -> None:
    state = after(release, sent(0, 0, 3))
    assert tell(state, sent(3, 0, 2)) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER


@pytest.mark.parametrize("release", RELEASES)
def test_old_epochs_are_fenced_and_new_ones_begin_at_0(release: str) -> None:
    state = after(release, sent(0, 0, epoch=3))
    assert tell(state, sent(1, 1, epoch=2)) == ErrorCode.INVALID_PRODUCER_EPOCH
    assert tell(state, sent(1, 1, epoch=4)) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert tell(state, sent(1, 0, epoch=4)) == ErrorCode.NONE
    assert len(state.producers[7].batches) == 1


@pytest.mark.parametrize(
    ("release", "error"),
    [("0.11.0", 45), ("1.0", 59), ("1.1", 59), ("2.3", 59), ("2.4", 59), ("2.5", 0), ("3.9", 0)],
)
def test_an_unknown_producer_that_does_not_begin_at_0_is_refused_in_some_releases(release: str, error: int) -> None:
    assert tell(ProducerState(rules(release)), sent(0, 5)) == error


def test_from_2_5_on_a_request_of_an_unknown_producer_may_hold_any_sequences() -> None:
    data = sent(0, 5)[0] + sent(1, 9)[0]
    state = ProducerState(rules("2.5"))
    both = [RecordBatch(data[: len(data) // 2]), RecordBatch(data[len(data) // 2 :])]
    assert not isinstance(state.check(both, Origin.CLIENT), Refused)
    assert isinstance(ProducerState(rules("2.4")).check(both, Origin.CLIENT), Refused)


@pytest.mark.parametrize(("release", "error"), [("0.11.0", 45), ("1.1", 45), ("2.0.0", 45), ("2.0.1", 59), ("2.5", 45)])
def test_a_producer_known_from_a_marker_only_must_begin_at_0_in_some_releases(release: str, error: int) -> None:
    state = after(release, marker(0, 7, commit=False))
    assert tell(state, sent(1, 4)) == error
    assert tell(state, sent(1, 0)) == ErrorCode.NONE


@pytest.mark.parametrize("release", RELEASES)
def test_the_sequence_wraps_from_the_largest_int_to_0(release: str) -> None:
    state = ProducerState(rules(release))
    first = batch(0, 1, 2, producer=7, sequence=0)
    wrapping = [2**31 - 2, 0]
    assert tell(state, first) == ErrorCode.NONE
    state.producers[7].batches = (KeptBatch(wrapping[0] - 1, 1, 0, 5),)
    assert tell(state, sent(2, wrapping[0], 2)) == ErrorCode.NONE
    assert tell(state, sent(4, 0)) == ErrorCode.NONE
    again = tell(state, sent(9, 0))
    assert isinstance(again, KeptBatch)


@pytest.mark.parametrize(("release", "first_offset"), [("1.1", 2147483651), ("2.3", 3)])
def test_a_batch_across_the_wrap_is_as_long_as_its_sequences_say_up_to_2_1_0(release: str, first_offset: int) -> None:
    state = after(release, sent(0, 0))
    state.producers[7].batches = (KeptBatch(2**31 - 2, 2, 0, 5),)
    assert tell(state, sent(3, 2**31 - 1, 4)) == ErrorCode.NONE
    again = tell(state, sent(9, 2**31 - 1, 4))
    assert isinstance(again, KeptBatch)
    assert (again.first_offset, again.last_offset) == (first_offset, 6)


@pytest.mark.parametrize("release", RELEASES)
def test_the_coordinators_writes_are_checked_for_their_epoch_only_and_up_to_2_3_not_at_all(release: str) -> None:
    state = after(release, sent(0, 0, epoch=3))
    gap = state.check(sent(1, 9, epoch=3)[1].batches, Origin.COORDINATOR)
    assert not isinstance(gap, Refused)
    old = state.check(sent(1, 9, epoch=2)[1].batches, Origin.COORDINATOR)
    assert (old == Refused(ErrorCode.INVALID_PRODUCER_EPOCH)) == (release not in RELEASES[: RELEASES.index("2.4")])
    assert not isinstance(state.check(sent(1, 9, epoch=2)[1].batches, Origin.REPLICATION), Refused)


@pytest.mark.parametrize("release", RELEASES)
def test_a_refused_set_changes_nothing(release: str) -> None:
    state = after(release, sent(0, 0))
    before = state.entries()
    data = sent(1, 1)[0] + sent(2, 5)[0]
    assert isinstance(
        state.check([RecordBatch(data[: len(data) // 2]), RecordBatch(data[len(data) // 2 :])], Origin.CLIENT), Refused
    )
    assert state.entries() == before


@pytest.mark.parametrize(
    ("release", "is_duplicate"), [("0.11.0.3", False), ("1.0.0", True), ("1.0.1", True), ("1.0.2", False)]
)
def test_what_a_refused_set_began_with_counts_as_a_duplicate_where_producers_are_checked_in_place(
    release: str, is_duplicate: bool
) -> None:
    """Recorded from 1.0.0 and 1.0.1: produce_refusals."""
    state = after(release, sent(0, 0, transactional=True))
    assert tell(state, sent(1, 1)) == ErrorCode.INVALID_TXN_STATE
    assert isinstance(tell(state, sent(1, 1, transactional=True)), KeptBatch) == is_duplicate


@pytest.mark.parametrize(
    ("release", "below"),
    [
        ("0.11.0.3", ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER),
        ("1.0.1", ErrorCode.DUPLICATE_SEQUENCE_NUMBER),
        ("1.0.2", ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER),
    ],
)
def test_sequences_below_the_batches_that_are_kept_are_duplicates_or_gaps(release: str, below: ErrorCode) -> None:
    """Recorded: sequence_questions."""
    state = after(release, *(sent(2 * n, 2 * n, count=2) for n in range(10)))
    assert tell(state, sent(20, 8, count=2)) == below
    assert tell(state, sent(20, 9)) == below
    assert tell(state, sent(20, 0)) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER  # as if it came after a wrap
    assert tell(state, sent(20, 11)) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER  # a part of a batch that is kept


@pytest.mark.parametrize("release", RELEASES)
def test_a_transaction_is_open_until_its_marker(release: str) -> None:
    state = after(release, sent(0, 0), sent(1, 1, transactional=True), sent(2, 2, transactional=True))
    assert (state.first_unstable_offset, state.producers[7].transaction_first_offset) == (1, 1)
    assert tell(state, sent(3, 3)) == ErrorCode.INVALID_TXN_STATE
    _, info = marker(3, 7, commit=False)
    update = state.check(info.batches, info.origin)
    assert isinstance(update, Update)
    assert update.completed == [CompletedTxn(7, 1, 3, True)]
    assert state.stable_offset_after(update.completed[0]) == 4
    assert tell(state, marker(3, 7, commit=False)) == ErrorCode.NONE
    assert (state.first_unstable_offset, state.producers[7].transaction_first_offset) == (1, NO_OFFSET)
    state.on_high_watermark(3)
    assert state.first_unstable_offset == 1
    state.on_high_watermark(4)
    assert state.first_unstable_offset is None


def test_the_stable_offset_after_a_transaction_is_the_start_of_the_oldest_other_one() -> None:
    others = [batch(n, 1, producer=10 + n, transactional=True) for n in (2, 4)]
    state = after("2.3", others[0], sent(3, 0, transactional=True), others[1])
    _, info = marker(5, 7, commit=True)
    update = state.check(info.batches, info.origin)
    assert isinstance(update, Update)
    assert state.stable_offset_after(update.completed[0]) == 2


@pytest.mark.parametrize(("release", "completes"), [("0.11.0", True), ("2.7", True), ("2.8", False), ("4.1", False)])
def test_a_marker_without_a_transaction_completes_one_in_some_releases(release: str, completes: bool) -> None:
    state = ProducerState(rules(release))
    _, info = marker(5, 7, commit=False)
    update = state.check(info.batches, info.origin)
    assert isinstance(update, Update)
    assert update.completed == ([CompletedTxn(7, 5, 5, True)] if completes else [])


@pytest.mark.parametrize("release", RELEASES)
def test_markers_of_old_epochs_are_refused(release: str) -> None:
    state = after(release, sent(0, 0, epoch=3), marker(1, 7, commit=True, producer_epoch=3, coordinator_epoch=5))
    assert tell(state, marker(2, 7, commit=True, producer_epoch=2, coordinator_epoch=5)) == 47
    assert tell(state, marker(2, 7, commit=True, producer_epoch=3, coordinator_epoch=4)) == 52
    assert tell(state, marker(2, 7, commit=True, producer_epoch=3, coordinator_epoch=5)) == 0


@pytest.mark.parametrize(
    ("release", "sequence", "offset", "delta", "timestamp"),
    [("0.11.0", 1, 2, 0, 5000), ("1.1", 1, 1, 1, 1000), ("2.4.0", 1, 1, 1, 1000), ("2.4.1", 1, 1, 1, 5000)],
)
def test_the_last_batch_of_a_producer_after_a_marker_depends_on_the_release(
    release: str, sequence: int, offset: int, delta: int, timestamp: int
) -> None:
    state = after(release, sent(0, 0, 2, transactional=True), marker(2, 7, 5000, commit=True))
    assert state.entries() == [SnapshotEntry(7, 0, sequence, offset, delta, timestamp, 0, -1)]


@pytest.mark.parametrize(("release", "timestamp"), [("1.1", -1), ("2.3", -1), ("2.4.1", 5000)])
def test_a_marker_with_a_newer_epoch_forgets_the_batches(release: str, timestamp: int) -> None:
    state = after(release, sent(0, 0), marker(1, 7, 5000, commit=False, producer_epoch=1))
    assert state.entries() == [SnapshotEntry(7, 1, -1, -1, 0, timestamp, 0, -1)]


def test_a_control_batch_that_the_cleaner_emptied_changes_nothing() -> None:
    state = after("2.3", sent(0, 0, transactional=True))
    empty = RecordBatch(v2.empty(RecordBatch(marker(1, 7, commit=True)[0])))
    assert not isinstance(state.check([empty], Origin.REPLICATION), Refused)
    assert state.first_unstable_offset == 0


def test_idle_producers_expire_unless_a_transaction_is_open() -> None:
    state = after("2.3", sent(0, 0), batch(1, 1000, producer=8, transactional=True))
    state.remove_expired(1000 + DAY - 1, DAY)
    assert set(state.producers) == {7, 8}
    state.remove_expired(1000 + DAY, DAY)
    assert set(state.producers) == {8}


@pytest.mark.parametrize(("release", "left"), [("2.3", {8}), ("2.4", {7, 8})])
def test_producers_below_the_log_start_go_with_their_batches_up_to_2_3(release: str, left: set[int]) -> None:
    state = after(release, sent(0, 0, transactional=True), batch(1, 1000, producer=8))
    state.on_log_start(1)
    assert set(state.producers) == left
    assert state.first_unstable_offset == (None if left == {8} else 0)


def test_a_snapshot_restores_the_last_batch_and_open_transactions() -> None:
    state = after("2.3", *(sent(n, n) for n in range(3)), sent(3, 3, 2, transactional=True))
    again = ProducerState(rules("2.3"))
    again.load(state.entries(), 0, 2000, DAY)
    assert again.entries() == state.entries()
    assert again.first_unstable_offset == 3
    assert len(again.producers[7].batches) == 1
    assert isinstance(tell(again, sent(9, 3, 2, transactional=True)), KeptBatch)
    assert tell(again, sent(9, 2)) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER


def test_a_snapshot_is_read_without_what_has_expired_or_is_gone() -> None:
    entries = after("2.3", sent(0, 0), batch(1, 1000 + DAY, producer=8), batch(2, 1000 + DAY, producer=9)).entries()
    state = ProducerState(rules("2.3"))
    state.load(entries, 2, 1000 + DAY, DAY)
    assert set(state.producers) == {9}


@given(st.lists(st.integers(1, 4), max_size=12), st.sampled_from(RELEASES))
def test_batches_sent_in_order_are_accepted_and_known(counts: list[int], release: str) -> None:
    state, at = ProducerState(rules(release)), 0
    for count in counts:
        assert tell(state, sent(at, at, count)) == ErrorCode.NONE
        at += count
    kept = 1 if release == "0.11.0" else 5
    if counts:
        assert state.producers[7].last_offset == at - 1
        assert len(state.producers[7].batches) == min(kept, len(counts))
    assert state.is_empty is (not counts)
