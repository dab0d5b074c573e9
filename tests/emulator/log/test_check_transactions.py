from fakekafka.log.check_transactions import DATA, Event, Replay, Transactions, marker_of
from fakekafka.log.txn_index import AbortedTxn, TxnIndex
from fakekafka.records.control import ControlType
from fakekafka.records.v2 import RecordBatch

from tests.emulator.log.batches import batch, marker

ABORT, COMMIT = int(ControlType.ABORT), int(ControlType.COMMIT)
STORY = [Event(3, 7, DATA), Event(4, 8, DATA), Event(6, 7, ABORT), Event(7, 8, COMMIT)]


def index(*entries: AbortedTxn) -> bytes:
    made = TxnIndex()
    for entry in entries:
        made.append(entry)
    return made.content()


def found(data: bytes | None, events: list[Event] = STORY, start: int = 0, is_whole: bool = True) -> list[str]:
    return [finding.what for finding in Replay(start, is_whole).findings(events, "f", data)]


def test_beginnings_and_ends_are_noted() -> None:
    noted = Transactions()
    begun = batch(0, 1, producer=7, transactional=True), batch(1, 1, producer=7, sequence=1, transactional=True)
    for data, _ in (*begun, batch(2, 1), marker(3, 7, commit=False), marker(4, 7, commit=True)):
        noted.add(RecordBatch(data))
    assert noted.events == [Event(0, 7, DATA), Event(3, 7, ABORT), Event(4, 7, COMMIT)]


def test_only_markers_end_transactions() -> None:
    assert marker_of(RecordBatch(marker(0, 7, commit=False)[0])) == ABORT
    assert marker_of(RecordBatch(batch(0, 1)[0])) is None


def test_an_index_lists_what_was_aborted_and_nothing_else() -> None:
    right = AbortedTxn(7, 3, 6, 4)
    assert found(index(right)) == []
    assert found(None) == found(b"") == ["the transaction that was aborted at 6 is not listed"]
    assert found(index(right._replace(first_offset=2))) == [
        "the transaction that was aborted at 6 begins at 3, not at 2"
    ]
    assert found(index(right._replace(last_stable_offset=7))) == ["the last stable offset at 6 was 4"]
    assert found(index(right, AbortedTxn(8, 4, 7, 8))) == ["producer 8 has no abort marker at 7"]


def test_a_log_that_begins_later_or_was_compacted_may_lack_a_beginning() -> None:
    entry = index(AbortedTxn(7, 1, 6, 1))
    assert found(entry, start=3) == []
    assert found(entry, is_whole=False) == []
    assert found(entry, [Event(6, 7, ABORT)], start=3) == []
    assert found(None, [Event(6, 7, ABORT)]) == []


def test_a_marker_alone_may_be_listed_as_its_own_beginning() -> None:
    assert found(index(AbortedTxn(7, 6, 6, 7)), [Event(6, 7, ABORT)]) == []


def test_a_transaction_may_begin_in_an_earlier_segment() -> None:
    replay = Replay(0, is_whole=True)
    assert list(replay.findings([Event(3, 7, DATA)], "f", None)) == []
    assert list(replay.findings([Event(6, 7, ABORT)], "g", index(AbortedTxn(7, 3, 6, 7)))) == []
