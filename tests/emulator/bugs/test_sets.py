"""Record sets of stories."""

import pytest
from fakekafka.bugs.sets import GZIP, NOW, batch, in_newest_format, records, sealed, unit
from fakekafka.records.scan import units, view
from fakekafka.releases.release import Release


@pytest.mark.parametrize("magic", [0, 1, 2])
@pytest.mark.parametrize("codec", [0, GZIP])
def test_a_unit_holds_its_records(magic: int, codec: int) -> None:
    data = unit(magic, records(), codec)
    found = [record for one in units(data) for record in view(data, one).records()]
    assert [(record.offset, record.key) for record in found] == [(0, b"k0"), (1, b"k1"), (2, b"k2")]


def test_a_batch_may_have_a_producer() -> None:
    (one,) = (view(data, each) for data in [batch(producer=7, sequence=3)] for each in units(data))
    assert (one.producer_id, one.producer_epoch, one.base_sequence) == (7, 0, 3)


@pytest.mark.parametrize("magic", [1, 2])
def test_a_changed_batch_can_be_sealed_again(magic: int) -> None:
    data = bytearray(unit(magic, records(1)))
    data[-1] ^= 1
    assert not view(data, next(units(data))).crc_ok()
    good = sealed(data)
    assert view(good, next(units(good))).crc_ok()


def test_records_without_a_time_have_none() -> None:
    assert {record.timestamp for record in records(time=-1)} == {-1}
    assert [record.timestamp for record in records(2)] == [NOW, NOW + 1]


@pytest.mark.parametrize(("release", "magic"), [("0.9.0.1", 0), ("0.10.2.2", 1), ("0.11.0.0", 2), ("4.3.1", 2)])
def test_a_set_can_be_made_in_the_newest_format_of_a_release(release: str, magic: int) -> None:
    made = in_newest_format(Release.parse(release), records(1))
    assert made[16] == magic
    assert made == unit(magic, records(1, time=-1 if magic == 0 else NOW))
