"""What a follower's log accepts."""

import pytest
from fakekafka.log.config import LogConfig
from fakekafka.log.memory_files import MemoryDirectory
from fakekafka.log.partition_log import PartitionLog
from fakekafka.storage.copying import append_copy

from tests.emulator.log.batches import batch, messages, rules
from tests.support.seeded import NOW


def log(release: str = "2.8") -> PartitionLog:
    return PartitionLog.open(MemoryDirectory(), rules(release), LogConfig(), NOW)


def test_the_bytes_are_kept() -> None:
    follower = log()
    first, second = batch(0, NOW, NOW)[0], batch(2, NOW, epoch=3)[0]
    assert append_copy(follower, first + second, NOW)
    assert b"".join(bytes(b.data) for b in follower.segments[0].batches()) == first + second
    assert follower.log_end_offset == 3
    assert follower.epochs is not None
    assert [tuple(entry) for entry in follower.epochs.entries] == [(0, 0), (3, 2)]


def test_a_unit_that_is_cut_off_is_left_out() -> None:
    follower = log()
    first, second = batch(0, NOW)[0], batch(1, NOW)[0]
    assert append_copy(follower, first + second[:-1], NOW)
    assert follower.log_end_offset == 1
    assert not append_copy(follower, second[:-1], NOW)
    assert not append_copy(follower, b"", NOW)


def test_offsets_may_have_gaps_but_not_go_back() -> None:
    follower = log()
    assert append_copy(follower, batch(5, NOW)[0], NOW)
    assert follower.log_end_offset == 6
    assert not append_copy(follower, batch(5, NOW)[0], NOW)
    assert not append_copy(follower, batch(8, NOW)[0] + batch(7, NOW)[0], NOW)
    assert follower.log_end_offset == 6


def test_an_empty_log_begins_where_its_first_batch_does() -> None:
    """As a follower's does after DeleteRecords up to an offset within that batch (KAFKA-6975)."""
    follower = log()
    follower.truncate_fully_and_start_at(1, NOW)
    halved = batch(0, NOW, NOW)[0]
    assert not append_copy(follower, halved, NOW, may_begin_earlier=False)
    assert append_copy(follower, halved, NOW)
    assert [segment.base_offset for segment in follower.segments] == [0]
    assert not append_copy(follower, batch(1, NOW, NOW)[0], NOW)
    assert follower.log_end_offset == 2


@pytest.mark.parametrize("where", [-1, 16])
def test_damaged_units_are_not_accepted(where: int) -> None:
    damaged = bytearray(batch(0, NOW)[0])
    damaged[where] ^= 0x7F
    follower = log()
    assert not append_copy(follower, damaged, NOW)
    assert follower.log_end_offset == 0


def test_the_contents_of_a_wrapper_do_not_matter() -> None:
    follower = log("0.10.2")
    assert append_copy(follower, messages(1, 0, NOW, NOW, NOW, codec=1)[0], NOW)
    assert follower.log_end_offset == 3
