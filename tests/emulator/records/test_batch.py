"""Both views have all the properties of a batch."""

import pytest
from fakekafka.records import scan, v0, v1, v2
from fakekafka.records.batch import Batch
from fakekafka.records.record import Record

QUESTIONS = [name for name in vars(Batch) if not name.startswith("_")]
RECORD = Record(7, 1000, 0, b"k", b"v")


@pytest.mark.parametrize("data", [v0.build([RECORD._replace(timestamp=-1)]), v1.build([RECORD]), v2.build([RECORD])])
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_view_has_every_property_of_a_batch(data: bytes, question: str) -> None:
    (batch,) = scan.batches(data)
    assert getattr(batch, question) is not None


@pytest.mark.parametrize("data", [v0.build([RECORD], codec=1), v1.build([RECORD], codec=1), v1.build([RECORD])])
def test_formats_before_2_have_no_producer_and_no_epoch(data: bytes) -> None:
    (batch,) = scan.batches(data)
    assert (batch.leader_epoch, batch.producer_id, batch.producer_epoch) == (-1, -1, -1)
    assert (batch.base_sequence, batch.last_sequence) == (-1, -1)
    assert (batch.is_transactional, batch.is_control, batch.has_delete_horizon) == (False, False, False)


def test_the_collected_questions_include_the_basic_ones() -> None:
    assert {"data", "last_offset", "max_timestamp", "crc_ok", "records"} <= set(QUESTIONS)
