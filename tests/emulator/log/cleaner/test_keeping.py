"""Which batches and records stay."""

import pytest
from fakekafka.ids import NO_OFFSET
from fakekafka.log.cleaner.keeping import Fate, Keeper
from fakekafka.log.cleaner.offset_map import OffsetMap

from tests.emulator.log.cleaner.passes import Cleaned


def keeper(log: Cleaned, offsets: dict[bytes, int], latest: int = 100, end: int = NO_OFFSET) -> Keeper:
    found = OffsetMap(2400, 1.0)
    found.offsets, found.latest_offset = offsets, latest
    return Keeper(log.log, found, log.rules, log.now, end)


def kept(log: Cleaned, how: Keeper) -> list[int]:
    """The offsets that stay in the log's first batch."""
    batch = log.batches[0]
    how.judge(batch)
    return [record.offset for record in how.kept(batch, list(batch.records()))]


def log_of(*pairs: tuple[bytes | None, bytes | None], release: str = "2.3", producer: int = -1) -> Cleaned:
    log = Cleaned(release)
    log.append(*pairs, producer=producer)
    return log


def test_a_record_stays_unless_a_later_one_has_its_key() -> None:
    log = log_of((b"a", b"1"), (b"b", b"2"), (b"c", b"3"))
    assert kept(log, keeper(log, {b"a": 9, b"b": 1})) == [1, 2]


def test_records_that_the_map_has_not_read_stay() -> None:
    log = log_of((b"a", b"1"), (b"a", b"2"), (None, b"3"))
    assert kept(log, keeper(log, {b"a": 9}, latest=0)) == [1, 2]


def test_records_without_a_key_go() -> None:
    log = log_of((None, b"1"), (b"a", b"2"))
    assert kept(log, keeper(log, {})) == [1]


@pytest.mark.parametrize(("stays", "left"), [(True, [0, 1]), (False, [1])])
def test_old_tombstones_go(stays: bool, left: list[int]) -> None:
    log = log_of((b"a", None), (b"b", b"2"))
    how = keeper(log, {b"a": 0, b"b": 1})
    how.enter_segment(stays)
    assert kept(log, how) == left


def test_a_batch_without_producer_goes_when_it_is_empty() -> None:
    log = log_of((b"a", b"1"))
    assert keeper(log, {}).judge(log.batches[0]) is Fate.GOES_IF_EMPTY


@pytest.mark.parametrize("release", ["0.11.0.1", "2.3"])
def test_the_last_batch_of_a_known_producer_stays(release: str) -> None:
    log = log_of((b"a", b"1"), release=release, producer=7)
    log.append((b"b", b"1"), producer=7)
    first, last = log.batches
    assert keeper(log, {}).judge(first) is Fate.GOES_IF_EMPTY
    assert keeper(log, {}).judge(last) is Fate.STAYS


def test_0_11_0_0_keeps_the_record_with_the_last_sequence() -> None:
    log = log_of((b"a", b"1"), (b"a", b"2"), release="0.11.0.0", producer=7)
    assert kept(log, keeper(log, {b"a": 50})) == [1]


@pytest.mark.parametrize(("release", "fate"), [("3.9.1", Fate.GOES_IF_EMPTY), ("3.9.2", Fate.STAYS)])
def test_the_batch_at_the_end_of_a_pass_stays_from_3_9_2_on(release: str, fate: Fate) -> None:
    """KAFKA-17076."""
    log = log_of((b"a", b"1"), release=release)
    end = 1 if log.rules.last_batch_kept != "no" else NO_OFFSET
    assert keeper(log, {}, end=end).judge(log.batches[0]) is fate


def test_data_of_an_aborted_transaction_goes_as_a_whole() -> None:
    log = Cleaned("2.3")
    for _ in range(2):  # the second one stays, empty, for the producer's last sequence
        log.append((b"a", b"1"), producer=7, transactional=True)
    log.mark(7, commit=False)
    how = keeper(log, {b"a": 0})
    how.transactions.expect(log.log.aborted_from(0, 10))
    assert how.judge(log.batches[0]) is Fate.GOES
    assert kept(log, how) == []
