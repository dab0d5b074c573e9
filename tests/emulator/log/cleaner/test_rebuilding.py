"""What is left of a batch when some of its records go."""

import pytest
from fakekafka.log.cleaner import CleaningFailed
from fakekafka.log.cleaner.rebuilding import Rebuilding
from fakekafka.records import v0, v1, v2
from fakekafka.records.batch import Batch
from fakekafka.records.message import Message
from fakekafka.records.record import Record
from fakekafka.records.v2 import RecordBatch
from fakekafka.records.xerial import BLOCK

from tests.emulator.log.batches import stored
from tests.emulator.log.cleaner.passes import cleaner_rules

CODECS = [0, 1, 2, 3]


def records(*offsets: int) -> list[Record]:
    return [Record(offset, 1000 + offset, 0, b"k%d" % offset, b"v") for offset in offsets]


def rebuilding(release: str, configured: int = 2) -> Rebuilding:
    return Rebuilding(cleaner_rules(release), configured, BLOCK)


def left(release: str, whole: Batch, *offsets: int, configured: int = 2, horizon_ms: int | None = None) -> list[Batch]:
    kept = [record for record in whole.records() if record.offset in offsets]
    return stored([rebuilding(release, configured).rebuilt(whole, kept, horizon_ms)])


def one(data: bytes) -> Batch:
    (found,) = stored([data])
    return found


@pytest.mark.parametrize("codec", CODECS)
def test_a_batch_keeps_its_place_its_producer_and_its_kind(codec: int) -> None:
    whole = one(
        v2.build(
            records(5, 6, 7, 8),
            codec=codec,
            producer_id=9,
            producer_epoch=1,
            base_sequence=3,
            leader_epoch=4,
            transactional=True,
        )
    )
    (found,) = left("2.3", whole, 6, 7)
    assert isinstance(found, RecordBatch)
    assert (found.base_offset, found.last_offset, found.leader_epoch) == (5, 8, 4)
    assert (found.producer_id, found.producer_epoch, found.base_sequence, found.is_transactional) == (9, 1, 3, True)
    assert (found.codec, [r.offset for r in found.records()], found.max_timestamp) == (codec, [6, 7], 1007)
    assert found.crc_ok()


def test_a_horizon_is_written_into_it() -> None:
    (found,) = left("3.9", one(v2.build(records(0, 1))), 1, horizon_ms=77)
    assert isinstance(found, RecordBatch)
    assert found.delete_horizon_ms == 77


@pytest.mark.parametrize("codec", [1, 2, 3])
@pytest.mark.parametrize("magic", [0, 1])
@pytest.mark.parametrize("release", ["0.9.0", "0.10.0.1", "0.10.1", "0.11.0", "2.3"])
def test_a_wrapper_is_rebuilt_around_what_is_left(release: str, magic: int, codec: int) -> None:
    if magic and release == "0.9.0":
        pytest.skip("it knows format 0 only")
    whole = one((v0.build, v1.build)[magic](records(5, 6, 7, 8), codec=codec))
    (found,) = left(release, whole, 5, 7, configured=magic)
    assert isinstance(found, Message)
    assert (found.magic, found.codec, found.last_offset) == (magic, codec, 7)
    assert [(r.offset, r.key) for r in found.records()] == [(5, b"k5"), (7, b"k7")]
    assert found.crc_ok()


def test_0_8_writes_the_messages_of_a_wrapper_as_plain_ones() -> None:
    whole = one(v0.build(records(5, 6, 7), codec=1))
    found = left("0.8.2", whole, 5, 7, configured=0)
    assert [(batch.last_offset, batch.codec) for batch in found] == [(5, 0), (7, 0)]


def test_4_0_makes_batches_of_old_units() -> None:
    """KAFKA-13093."""
    whole = one(v1.build(records(5, 6, 7), codec=1))
    assert rebuilding("4.1").must(whole)
    (found,) = left("4.1", whole, 5, 6, 7)
    assert (found.magic, [r.offset for r in found.records()]) == (2, [5, 6, 7])


@pytest.mark.parametrize(("release", "must"), [("0.9.0", True), ("0.10.1", False), ("2.3", False)])
def test_whole_wrappers_stay_from_0_10_on(release: str, must: bool) -> None:
    assert rebuilding(release, 0).must(one(v0.build(records(5, 6), codec=1))) == must


def test_plain_messages_and_batches_stay_as_they_are() -> None:
    assert not rebuilding("2.3").must(one(v1.build(records(5))))
    assert not rebuilding("4.1").must(one(v2.build(records(5))))


def test_0_10_0_converts_to_the_topic_s_format() -> None:
    """KAFKA-3915: it converts plain messages, too."""
    assert rebuilding("0.10.0.0", 1).must(one(v0.build(records(5))))
    (found,) = left("0.10.0.0", one(v0.build(records(5))), 5, configured=1)
    assert found.magic == 1
    (back,) = left("0.10.0.0", one(v1.build(records(5))), 5, configured=0)
    assert back.magic == 0


def test_0_10_0_cannot_read_what_it_has_spoilt_itself() -> None:
    """KAFKA-4298: it put messages of one format into a wrapper of the other."""
    whole = one(v1.build(records(5, 6, 7), codec=1))
    (spoilt,) = left("0.10.0.1", whole, 5, 6, configured=0)
    assert spoilt.magic == 0
    with pytest.raises(CleaningFailed, match="those inside have another one"):
        rebuilding("0.10.0.1", 0).must(spoilt)
