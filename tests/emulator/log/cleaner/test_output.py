"""What is written at once, and what an append needs to know about it."""

import pytest
from fakekafka.log.cleaner import CleaningFailed
from fakekafka.log.cleaner.output import Output
from fakekafka.records import v0, v1, v2, wrapper
from fakekafka.records.batch import Batch
from fakekafka.records.record import Record
from fakekafka.records.v2 import RecordBatch

from tests.emulator.log.batches import stored
from tests.emulator.log.cleaner.passes import cleaner_rules


def batch(offset: int, *timestamps: int) -> tuple[Batch, list[Record]]:
    made = [Record(offset + n, at, 0, b"k", b"v") for n, at in enumerate(timestamps)]
    (found,) = stored([v2.build(made)])
    return found, made


def test_batches_are_written_one_after_the_other() -> None:
    output = Output(cleaner_rules("2.3"))
    first, second = batch(5, 100, 200), batch(9, 150)
    output.add_whole(*first)
    output.add_whole(*second)
    assert output.data() == bytes(first[0].data) + bytes(second[0].data)
    assert output.size == len(output.data())
    info = output.append_info()
    assert (info.first_offset, info.last_offset, len(info.batches)) == (5, 9, 2)
    assert (info.max_timestamp, info.offset_of_max_timestamp) == (200, 6)


def test_a_rebuilt_batch_counts_as_the_unit_that_it_is() -> None:
    output = Output(cleaner_rules("2.3"))
    whole, records = batch(5, 300, 200, 100)
    output.add_rebuilt(v2.build(records[1:], base_offset=5, last_offset=7), records[1:])
    info = output.append_info()
    assert (info.first_offset, info.last_offset, info.max_timestamp) == (5, 7, 200)
    assert whole.max_timestamp == 300


@pytest.mark.parametrize(("release", "stops"), [("2.0.0", True), ("2.0.1", False)])
def test_an_output_of_empty_batches_stops_the_cleaner_in_some_releases(release: str, stops: bool) -> None:
    """KAFKA-7385."""
    output = Output(cleaner_rules(release))
    whole, _ = batch(5, 100, 200)
    assert isinstance(whole, RecordBatch)
    output.add_empty(v2.empty(whole), whole)
    if stops:
        with pytest.raises(CleaningFailed):
            output.append_info()
    else:
        assert (output.append_info().first_offset, output.append_info().last_offset) == (5, 6)


@pytest.mark.parametrize("first", ["the wrapper", "a plain message"])
def test_0_10_0_1_reads_the_first_unit_that_it_writes(first: str) -> None:
    """KAFKA-4298: its cleaner stops there if that is a wrapper that it has spoilt. Asked of 0.10.0.1."""
    output = Output(cleaner_rules("0.10.0.1"))
    plain, inner = Record(5, 100, 0, b"k", b"v"), Record(6, 100, 0, b"k", b"v")
    if first == "a plain message":
        output.add_rebuilt(v1.build([plain]), [plain])
    output.add_rebuilt(wrapper.wrap(1, 1, v0.build([inner]), offset=6, timestamp=100), [inner])
    if first == "the wrapper":
        with pytest.raises(CleaningFailed, match="has magic value 1"):
            output.append_info()
    else:
        assert output.append_info().last_offset == 6


@pytest.mark.parametrize(("release", "at"), [("0.10.1.0", 6), ("0.10.1.1", 5), ("0.10.2", 6)])
def test_the_offset_of_the_largest_timestamp_is_the_records_or_its_units_last(release: str, at: int) -> None:
    """KAFKA-4497: the offset is that of the message, or of the end of its unit."""
    made = [Record(5, 300, 0, b"k", b"v"), Record(6, 100, 0, b"k", b"v")]
    (wrapper,) = stored([v1.build(made, codec=1)])
    output = Output(cleaner_rules(release))
    output.add_whole(wrapper, made)
    assert (output.append_info().max_timestamp, output.append_info().offset_of_max_timestamp) == (300, at)


@pytest.mark.parametrize(("release", "largest"), [("0.11.0", 100), ("1.1", 100), ("2.0.1", 300), ("4.3", 300)])
def test_the_timestamp_of_an_empty_batch_counts_from_2_0_1_on(release: str, largest: int) -> None:
    """Recorded from 1.1.1 and 2.0.1: random_compact."""
    output = Output(cleaner_rules(release))
    output.add_whole(*batch(5, 100))
    emptied, _ = batch(6, 300)
    assert isinstance(emptied, RecordBatch)
    output.add_empty(v2.empty(emptied), emptied)
    info = output.append_info()
    assert (info.last_offset, info.max_timestamp) == (6, largest)
