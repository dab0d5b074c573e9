"""The rows of a log: what each message format says, and where reading ends."""

import pytest
from fakekafka.ids import Magic
from fakekafka.inspection.log_files import log_rows
from fakekafka.inspection.row import Row
from fakekafka.log.memory_files import MemoryFile
from fakekafka.records import v0, v1, v2
from fakekafka.records.record import Record

RECORD = Record(0, 5_000, 0, b"k", b"v")


def rows(data: bytes, records: bool = True) -> list[Row]:
    return list(log_rows(MemoryFile(data), "t", records, lambda size: None))


def built(magic: Magic, codec: int = 0) -> bytes:
    return bytes((v0.build, v1.build, v2.build)[magic]([RECORD, RECORD._replace(offset=1)], codec=codec))


@pytest.mark.parametrize("magic", [0, 1, 2])
def test_a_row_has_the_fields_of_its_format(magic: Magic) -> None:
    batch, record, *_ = rows(built(magic, codec=1))
    assert (batch.kind, record.kind) == ("batch", "record")
    assert ("maxTimestamp" in batch.fields) == ("timestamp" in record.fields) == (magic > 0)
    assert ("producerId" in batch.fields) == (magic > 1)
    assert (batch.fields["codec"], batch.fields["count"], batch.fields["crcOk"]) == ("gzip", 2, True)


def test_an_unreadable_payload_is_shown_below_its_batch() -> None:
    data = bytearray(built(2, codec=1))
    data[-8:] = bytes(8)
    kinds = [(row.kind, row.depth) for row in rows(bytes(data))]
    assert kinds[0] == ("batch", 0)
    assert kinds[-1] == ("broken", 1)
    assert [row.fields["crcOk"] for row in rows(bytes(data), records=False)] == [False]


def test_the_rows_end_at_the_first_bytes_that_are_not_a_batch() -> None:
    whole = built(2)
    assert rows(whole + bytes(30), records=False)[-1].kind == "broken"
    assert rows(whole + bytes(30), records=False)[-1].position == len(whole)
    assert [row.kind for row in rows(whole[:-1])] == ["broken"]
    assert rows(b"") == []
