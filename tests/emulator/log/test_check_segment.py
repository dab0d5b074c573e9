"""What the check of one segment remembers; what it finds is tested in `test_check`."""

from fakekafka.binary import crc32c
from fakekafka.log.check import ignored
from fakekafka.log.check_records import inside
from fakekafka.log.check_segment import check_segment
from fakekafka.log.memory_files import MemoryDirectory
from fakekafka.records import v0, v1, v2
from fakekafka.records.message import Message
from fakekafka.records.v2 import RecordBatch

from tests.emulator.log.batches import records

LOG = "00000000000000000000.log"


def directory(*units: bytes) -> MemoryDirectory:
    made = MemoryDirectory()
    made.replace(LOG, b"".join(units))
    return made


def test_a_segment_ends_after_its_last_unit() -> None:
    checked = check_segment(directory(v2.build(records(0, [1, 2])), v2.build(records(2, [3]))), LOG, ignored)
    assert (checked.base, checked.end, checked.has_holes, checked.findings) == (0, 3, False, [])


def test_missing_offsets_are_holes() -> None:
    between = directory(v2.build(records(0, [1])), v2.build(records(5, [1])))
    within = directory(v2.build(records(0, [1]), last_offset=4))
    assert check_segment(between, LOG, ignored).has_holes
    assert check_segment(within, LOG, ignored).has_holes


def test_a_wrapper_begins_where_its_first_message_does() -> None:
    for build in (v0.build, v1.build):
        assert inside(Message(build(records(7, [1, 2, 3]), codec=1))) == (7, None)


def test_records_after_the_last_offset_are_reported() -> None:
    unit = bytearray(v2.build(records(0, [1, 2, 3])))
    unit[v2.LAST_OFFSET_DELTA_AT : v2.LAST_OFFSET_DELTA_AT + 4] = (1).to_bytes(4, "big")
    assert inside(RecordBatch(unit)) == (0, "3 records in 2 offsets")


def test_a_check_may_leave_the_records_of_batches_unread() -> None:
    unit = bytearray(v2.build(records(0, [1, 2, 3])))
    unit[57:61] = (9).to_bytes(4, "big")
    unit[17:21] = crc32c(bytes(unit[21:])).to_bytes(4, "big")
    made = directory(bytes(unit))
    assert [finding.kind for finding in check_segment(made, LOG, ignored).findings] == ["records"]
    assert check_segment(made, LOG, ignored, records=False).findings == []
