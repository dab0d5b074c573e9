"""The info that comes with bytes that are appended."""

from fakekafka.log.append_info import Origin, as_replica

from tests.emulator.log.batches import batch


def test_a_followers_largest_timestamp_counts_with_its_units_last_offset() -> None:
    units = [unit for _, info in (batch(5, 10, 30, 20), batch(8, 30), batch(9, 25)) for unit in info.batches]
    info = as_replica(units)
    assert (info.first_offset, info.last_offset) == (5, 9)
    assert (info.max_timestamp, info.offset_of_max_timestamp) == (30, 7)
    assert info.origin is Origin.REPLICATION


def test_units_without_timestamps_have_no_largest_one() -> None:
    info = as_replica(batch(0, -1, -1)[1].batches)
    assert (info.max_timestamp, info.offset_of_max_timestamp) == (-1, -1)
