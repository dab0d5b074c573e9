"""KIP-31, on what producers send and what is stored: offsets inside wrappers, and the two phases of the upgrade.

Phase 1 is new code with format 0, phase 2 is format 1. The document means 0.10.0.
"""

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey, Magic, TimestampMs
from fakekafka.records import hot, v0, v1
from fakekafka.records.attributes import CODEC
from fakekafka.records.compression import GZIP, LZ4, NONE, SNAPPY, compress
from fakekafka.records.message import Message
from fakekafka.records.record import Record
from fakekafka.records.scan import units
from fakekafka.records.wrapper import wrap
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release

from tests.support import fetching
from tests.support.producing import one
from tests.support.seeded import NOW, partition_of

PHASE_1 = "0.9.0 -> 0.10.0: new protocol, old format"
PHASE_2 = "0.9.0 -> 0.10.0: new format"


def broker(phase: str | None = None, release: str | None = None, **topic: str) -> FakeKafka:
    """A broker with the topic "t". `topic`: configs of it, with underscores for dots."""
    kafka = FakeKafka(release, phase=phase, clock=ManualClock(NOW)).boot()
    kafka.create_topic("t", 1, {name.replace("_", "."): value for name, value in topic.items()})
    return kafka


def rows(*timestamps: TimestampMs) -> list[Record]:
    return [Record(n, timestamp, 0, b"k%d" % n, b"v%d" % n) for n, timestamp in enumerate(timestamps)]


def produce(kafka: FakeKafka, data: bytes, version: int) -> None:
    assert one(kafka, data, version).error_code == ErrorCode.NONE


def stored(kafka: FakeKafka) -> list[Message]:
    """The units of the partition's log."""
    units = [unit for segment in partition_of(kafka).log.segments for unit in segment.batches()]
    assert all(isinstance(unit, Message) for unit in units)
    return units  # type: ignore[return-value]


def inside(unit: Message) -> list[int]:
    """The offsets in a wrapper, as they are written."""
    return [message.last_offset for message in unit.inside()]


def renumbered(*offsets: int) -> bytes:
    """A wrapper of format 1 whose messages have these offsets."""
    messages = b"".join(hot.message(1, offset, NOW, 0, b"k", b"v%d" % offset) for offset in offsets)
    return wrap(1, GZIP, messages, offset=offsets[-1], timestamp=NOW)


# ---- the message


@pytest.mark.statement("S0-5")
@pytest.mark.parametrize("codec", [NONE, GZIP, SNAPPY, LZ4])
def test_three_bits_and_not_two_name_the_codec(codec: int) -> None:
    """The third bit came with LZ4 in 0.8.2; bit 3 is the timestamp's type (KIP-32)."""
    kafka = broker(release="0.10.0", message_timestamp_type="LogAppendTime")
    produce(kafka, v1.build(rows(NOW), codec=codec), 2)
    (unit,) = stored(kafka)
    assert unit.attributes == codec | 8
    assert CODEC == 7


@pytest.mark.statement("S0-8")
def test_the_broker_gives_the_time_only_where_the_topic_says_so() -> None:
    """The producer's time is kept by default (KIP-32)."""
    for kind, expected in (("CreateTime", 1234), ("LogAppendTime", NOW)):
        kafka = broker(PHASE_2, message_timestamp_type=kind)
        produce(kafka, v1.build(rows(1234)), 2)
        assert [record.timestamp for record in kafka.records("t")] == [expected]


@pytest.mark.statement("S0-11")
def test_all_messages_of_a_wrapper_share_a_time_only_under_append_time() -> None:
    for kind, expected in (("CreateTime", [5, 9, 7]), ("LogAppendTime", [NOW] * 3)):
        kafka = broker(PHASE_2, message_timestamp_type=kind)
        produce(kafka, v1.build(rows(5, 9, 7), codec=GZIP), 2)
        assert [record.timestamp for record in kafka.records("t")] == expected
        (unit,) = stored(kafka)
        assert inside(unit) == [0, 1, 2]
        assert [message.max_timestamp for message in unit.inside()] == [5, 9, 7]  # the bytes stay as they came


# ---- offsets on the way in


@pytest.mark.statement("S0-13")
@pytest.mark.parametrize(("release", "in_place"), [("0.10.0", False), ("0.10.2", True), ("0.11.0", True)])
def test_a_blank_offset_outside_is_taken_in_place_from_0_10_2_on(release: str, in_place: bool) -> None:
    for outside in (2, 0):
        stream = compress(GZIP, v1.build(rows(5, 9, 7)))
        marked = stream[:4] + b"\1\1\1\1" + stream[8:]  # a time in gzip's header that no broker writes
        data = hot.message(1, outside, 9, GZIP, None, marked)
        kafka = broker(release=release, message_format_version="0.10.0")
        produce(kafka, data, 2)
        (unit,) = stored(kafka)
        assert (unit.last_offset, inside(unit)) == (2, [0, 1, 2])
        assert (unit.value == marked) == (outside == 2 or in_place)


@pytest.mark.statement("S0-14")
@pytest.mark.parametrize(("release", "error"), [("0.9.0", 0), ("0.10.0", 2), ("2.3", 2)])
def test_the_broker_opens_a_wrapper_and_verifies_what_is_inside(release: str, error: int) -> None:
    messages = bytearray(v1.build(rows(NOW, NOW)) if release != "0.9.0" else v0.build(rows(-1, -1)))
    version, magic = (1, 0) if release == "0.9.0" else (2, 1)
    whole = wrap(magic, GZIP, bytes(messages), offset=1, timestamp=NOW)
    assert one(broker(release=release), whole, version).error_code == ErrorCode.NONE
    messages[-1] ^= 1  # the last value, which a checksum covers
    sent = wrap(magic, GZIP, bytes(messages), offset=1, timestamp=NOW)
    assert one(broker(release=release), sent, version).error_code == error


@pytest.mark.statement("S0-14", "S0-15", "S0-16")
@pytest.mark.parametrize(
    ("release", "error"), [("0.10.0", 0), ("2.3.1", 0), ("2.4.1", 87), ("2.5.0", 87), ("2.5.1", 0)]
)
def test_offsets_with_holes_are_reassigned_and_not_refused(release: str, error: int) -> None:
    """A mirror maker copies such sets from a compacted topic; 2.4.0 to 2.5.0 refuse them (KAFKA-9669)."""
    kafka = broker(release=release, message_format_version="0.10.0")
    assert one(kafka, renumbered(0, 2, 5), 2).error_code == error
    if not error:
        assert [(unit.last_offset, inside(unit)) for unit in stored(kafka)] == [(2, [0, 1, 2])]
        assert [record.value for record in kafka.records("t")] == [b"v0", b"v2", b"v5"]


@pytest.mark.statement("S0-17")
def test_the_broker_sets_the_offset_of_the_last_message_outside() -> None:
    kafka = broker(PHASE_2)
    for _ in range(2):
        produce(kafka, v1.build(rows(5, 9, 7), codec=GZIP), 2)
    assert [(unit.last_offset, inside(unit)) for unit in stored(kafka)] == [(2, [0, 1, 2]), (5, [0, 1, 2])]


@pytest.mark.statement("S0-18", "S0-44")
@pytest.mark.parametrize("codec", [GZIP, SNAPPY])
@pytest.mark.parametrize("release", ["0.10.0", "0.10.2", "0.11.0", "2.8"])
def test_in_phase_2_nothing_but_the_offset_changes(release: str, codec: int) -> None:
    kafka = broker(release=release, message_format_version="0.10.0")
    produce(kafka, v1.build(rows(1)), 2)
    sent = v1.build(rows(5, 9, 7), codec=codec, level=0, snappy_block=20)
    assert sent != v1.build(rows(5, 9, 7), codec=codec)  # as a broker would compress it
    produce(kafka, sent, 2)
    unit = stored(kafka)[1]
    assert bytes(unit.data)[8:] == sent[8:]
    assert (Message(sent).last_offset, unit.last_offset) == (2, 3)


# ---- formats and phases


@pytest.mark.statement("S0-28")
@pytest.mark.parametrize(("version", "magic"), [("0.9.0", 0), ("0.10.0", 1), ("0.10.2", 1), ("0.11.0", 2), ("2.3", 2)])
def test_a_version_and_not_a_magic_number_says_what_is_stored(version: str, magic: Magic) -> None:
    kafka = broker(release="2.3", message_format_version=version)
    kafka.send("t", b"v")
    assert [record.magic for record in kafka.records("t")] == [magic]


@pytest.mark.statement("S0-31", "S0-35", "S0-47")
@pytest.mark.parametrize(("phase", "magic"), [(PHASE_1, 0), (PHASE_2, 1)])
def test_old_and_new_producers_are_served_in_both_phases(phase: str, magic: Magic) -> None:
    kafka = broker(phase)
    assert profile(Release.parse("0.10.0")).advertised[ApiKey.PRODUCE].high == 2
    assert profile(Release.parse("0.10.0")).advertised[ApiKey.FETCH].high == 2
    produce(kafka, v0.build(rows(-1)), 1)
    produce(kafka, v1.build(rows(5)), 2)
    assert [record.magic for record in kafka.records("t")] == [magic, magic]
    assert [record.value for record in kafka.records("t")] == [b"v0", b"v0"]
    found = fetching.data_of(fetching.only(fetching.fetch(kafka, ("t", 0, 0), version=2)))
    assert [unit.magic for unit in units(found)] == [magic, magic]


@pytest.mark.statement("S0-36", "S0-37", "S0-38")
@pytest.mark.parametrize("version", [1, 2])
def test_in_phase_1_wrappers_get_absolute_offsets_and_are_recompressed(version: int) -> None:
    """An earlier draft wanted no recompression of Produce 2, which old consumers could not have read."""
    kafka = broker(PHASE_1)
    sent = v0.build(rows(-1, -1), codec=GZIP) if version == 1 else v1.build(rows(5, 9), codec=GZIP)
    for _ in range(2):
        produce(kafka, sent, version)
    first, second = stored(kafka)
    assert (first.magic, first.last_offset, inside(first)) == (0, 1, [0, 1])
    assert (second.magic, second.last_offset, inside(second)) == (0, 3, [2, 3])
    assert second.magics_inside == {0}
    assert second.value != Message(sent).value


@pytest.mark.statement("S0-43")
def test_in_phase_2_old_producers_are_converted_up_with_relative_offsets() -> None:
    kafka = broker(PHASE_2)
    for _ in range(2):
        produce(kafka, v0.build(rows(-1, -1), codec=GZIP), 1)
    second = stored(kafka)[1]
    assert (second.magic, second.last_offset, inside(second)) == (1, 3, [0, 1])
    assert second.magics_inside == {1}
    assert [record.timestamp for record in kafka.records("t")] == [-1] * 4
