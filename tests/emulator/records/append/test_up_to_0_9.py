"""Brokers up to 0.9: what is done to the bytes of a set. `test_from_0_10` covers what they share with later ones."""

import pytest
from fakekafka.records import v0
from fakekafka.records.append.prepared import AppendTarget, How
from fakekafka.records.compression import GZIP, NONE, SNAPPY

from tests.emulator.records.appending import START, prepared, rows, stored_records

RELEASES = ["0.8.0", "0.8.2.2", "0.9.0.1"]
ROWS = rows(-1, -1, -1)


@pytest.mark.parametrize("release", RELEASES)
def test_plain_messages_stay_with_new_offsets(release: str) -> None:
    made = prepared(v0.build(ROWS), AppendTarget(0), release)
    assert (made.how, made.stayed, made.cpu_ns) == (How.KEPT, True, 0)
    assert [record.offset for record in stored_records(made)] == [START, START + 1, START + 2]


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize(("source", "wanted"), [(GZIP, None), (GZIP, NONE), (NONE, SNAPPY), (SNAPPY, GZIP)])
def test_a_set_that_is_or_becomes_compressed_is_rebuilt(release: str, source: int, wanted: int | None) -> None:
    made = prepared(v0.build(ROWS, codec=source), AppendTarget(0, codec=wanted), release)
    assert (made.how, made.stayed) == (How.REBUILT, False)
    assert [record.offset for record in stored_records(made)] == [START, START + 1, START + 2]
    assert {unit.codec for unit in made.batches} == {source if wanted is None else wanted}
