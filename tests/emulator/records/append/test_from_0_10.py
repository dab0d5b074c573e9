"""Brokers up to 0.10.2: what they store of a set of messages, what they refuse, and what they let pass."""

import pytest
from fakekafka.binary import crc32
from fakekafka.errors import ErrorCode
from fakekafka.ids import Magic
from fakekafka.records import v0, v1, v2
from fakekafka.records.append.prepared import AppendTarget, Prepared
from fakekafka.records.compression import GZIP, LZ4, NONE, SNAPPY
from fakekafka.records.message import Message
from fakekafka.records.wrapper import wrap

from tests.emulator.records.appending import (
    MESSAGE_BROKERS,
    NOW,
    START,
    prepared,
    refused,
    rows,
    sealed,
    stored_records,
)

ROWS = rows(1000, 3000, 2000)
UNKNOWN = ErrorCode.UNKNOWN_SERVER_ERROR
CORRUPT = ErrorCode.CORRUPT_MESSAGE
TOO_LARGE = ErrorCode.MESSAGE_TOO_LARGE
FORMAT_0 = AppendTarget(0)
FORMAT_1 = AppendTarget(1)
WITH_FORMAT_1 = MESSAGE_BROKERS[3:]
OLD = MESSAGE_BROKERS[:3]


def seal(unit: bytearray) -> bytes:
    """The message with its size and checksum corrected."""
    unit[8:12] = (len(unit) - 12).to_bytes(4, "big")
    unit[12:16] = crc32(unit[16:]).to_bytes(4, "big")
    return bytes(unit)


def build(magic: Magic, codec: int = NONE) -> bytes:
    return (v0.build, v1.build)[magic](ROWS, codec=codec)


def units(made: Prepared) -> list[Message]:
    return [unit for unit in made.batches if isinstance(unit, Message)]


def inside(made: Prepared) -> list[Message]:
    """The messages of the one wrapper that is stored."""
    (unit,) = units(made)
    return unit.inside()


# ---- in place


@pytest.mark.parametrize("release", MESSAGE_BROKERS)
def test_plain_messages_get_an_offset_each(release: str) -> None:
    sent = build(0)
    made = prepared(sent, FORMAT_0, release)
    assert [unit.last_offset for unit in units(made)] == [100, 101, 102]
    assert [unit.data[8:] for unit in units(made)] == [sent[at + 8 : at + 28] for at in (0, 28, 56)]


@pytest.mark.parametrize("release", WITH_FORMAT_1)
def test_a_wrapper_of_format_1_in_order_stays_as_it_is(release: str) -> None:
    sent = build(1, GZIP)
    made = prepared(sent, FORMAT_1, release)
    assert bytes(made.data) == (102).to_bytes(8, "big") + sent[8:]
    assert (made.max_timestamp, made.offset_of_max_timestamp) == (3000, 102)


@pytest.mark.parametrize(("release", "stored"), [("0.10.0.1", 77), ("0.10.1.1", 3000), ("0.10.2.2", 3000)])
def test_the_time_of_a_wrapper_that_stays_is_corrected_from_0_10_1_on(release: str, stored: int) -> None:
    sent = wrap(1, GZIP, build(1), offset=0, timestamp=77)
    sent = wrap(1, GZIP, b"".join(_numbered(sent)), offset=2, timestamp=77)
    assert prepared(sent, FORMAT_1, release).batches[0].max_timestamp == stored


def _numbered(wrapper: bytes) -> list[bytes]:
    """The messages in a wrapper, numbered from 0 on."""
    return [n.to_bytes(8, "big") + bytes(m.data[8:]) for n, m in enumerate(Message(wrapper).inside())]


@pytest.mark.parametrize("release", WITH_FORMAT_1)
def test_the_append_time_gets_into_a_wrapper_and_not_into_its_messages(release: str) -> None:
    made = prepared(build(1, GZIP), FORMAT_1._replace(append_time=True), release)
    (unit,) = units(made)
    assert (unit.max_timestamp, unit.timestamp_type, unit.crc_ok()) == (NOW, 1, True)
    assert [m.max_timestamp for m in inside(made)] == [1000, 3000, 2000]


@pytest.mark.parametrize("release", WITH_FORMAT_1)
def test_the_append_time_gets_into_plain_messages(release: str) -> None:
    made = prepared(build(1), FORMAT_1._replace(append_time=True), release)
    assert [(m.max_timestamp, m.timestamp_type, m.crc_ok()) for m in units(made)] == [(NOW, 1, True)] * 3


# ---- rebuilt


@pytest.mark.parametrize("release", OLD)
@pytest.mark.parametrize("codec", [GZIP, SNAPPY])
def test_format_0_is_compressed_again_for_absolute_offsets(release: str, codec: int) -> None:
    made = prepared(build(0, codec), FORMAT_0, release)
    assert [m.last_offset for m in inside(made)] == [100, 101, 102]
    assert (made.batches[0].codec, made.batches[0].last_offset) == (codec, 102)


@pytest.mark.parametrize("release", MESSAGE_BROKERS)
@pytest.mark.parametrize("sent", [NONE, GZIP])
@pytest.mark.parametrize("wanted", [NONE, SNAPPY])
def test_messages_get_the_topics_codec(release: str, sent: int, wanted: int) -> None:
    made = prepared(build(0, sent), FORMAT_0._replace(codec=wanted), release)
    assert {unit.codec for unit in made.batches} == {wanted}
    assert [(r.offset, r.value) for r in stored_records(made)] == [(100, b"v"), (101, b"v"), (102, b"v")]


@pytest.mark.parametrize("release", WITH_FORMAT_1)
@pytest.mark.parametrize("codec", [NONE, GZIP])
@pytest.mark.parametrize("wanted", [0, 1])
def test_messages_of_the_other_format_are_converted(release: str, codec: int, wanted: int) -> None:
    made = prepared(build(1 - wanted, codec), AppendTarget(wanted), release)
    assert {unit.magic for unit in made.batches} == {wanted}
    got = [(r.offset, r.key, r.value, r.timestamp) for r in stored_records(made)]
    assert got == [(START + n, b"k", b"v", -1) for n in range(3)]


@pytest.mark.parametrize("release", WITH_FORMAT_1)
def test_a_wrapper_with_gaps_is_rebuilt(release: str) -> None:
    sent = v1.build([r._replace(offset=2 * r.offset) for r in ROWS], codec=GZIP)
    made = prepared(sent, FORMAT_1, release)
    assert [m.last_offset for m in inside(made)] == [0, 1, 2]
    assert made.batches[0].last_offset == 102


# ---- which size is limited


@pytest.mark.parametrize(("release", "error"), [("0.8.0", None), ("0.8.2.2", TOO_LARGE), ("0.10.2.2", TOO_LARGE)])
def test_a_set_that_would_shrink_is_measured_as_it_came_from_0_8_2_on(release: str, error: ErrorCode | None) -> None:
    sent = v0.build([r._replace(value=bytes(5000)) for r in ROWS])
    target = FORMAT_0._replace(codec=GZIP, max_bytes=1000)
    if error is None:
        assert prepared(sent, target, release).last_offset == 102
    else:
        assert refused(sent, target, release).error == error


@pytest.mark.parametrize("release", MESSAGE_BROKERS)
def test_a_set_that_grows_is_measured_as_it_will_be(release: str) -> None:
    sent = v0.build([r._replace(value=bytes(5000)) for r in ROWS], codec=GZIP)
    target = FORMAT_0._replace(codec=NONE, max_bytes=1000)
    assert refused(sent, target, release).error == TOO_LARGE


# ---- broken bytes


@pytest.mark.parametrize("release", MESSAGE_BROKERS)
def test_a_wrong_checksum_is_error_2(release: str) -> None:
    sent = bytearray(build(0))
    sent[-1] ^= 1
    assert refused(sent, FORMAT_0, release).error == CORRUPT


@pytest.mark.parametrize("release", MESSAGE_BROKERS)
def test_a_batch_of_format_2_is_a_message_with_a_wrong_checksum(release: str) -> None:
    assert refused(sealed(v2.build(ROWS)), FORMAT_0, release).error == CORRUPT


@pytest.mark.parametrize("release", OLD)
def test_brokers_that_know_one_format_ignore_the_magic(release: str) -> None:
    sent = bytearray(build(0)[:28])
    sent[16] = 99
    made = prepared(seal(sent), FORMAT_0, release)
    assert made.batches[0].magic == 99


@pytest.mark.parametrize("release", MESSAGE_BROKERS)
def test_a_wrong_checksum_in_a_wrapper_is_stored_unless_it_stays_as_it_came(release: str) -> None:
    messages = bytearray(build(0))
    messages[-1] ^= 1
    sent = wrap(0, GZIP, bytes(messages), offset=2, timestamp=-1)
    assert [m.crc_ok() for m in inside(prepared(sent, FORMAT_0, release))] == [True, True, False]


@pytest.mark.parametrize("release", WITH_FORMAT_1)
def test_checksums_inside_a_wrapper_count_where_it_stays(release: str) -> None:
    messages = bytearray(build(1))
    for n, at in enumerate((0, 36, 72)):
        messages[at : at + 8] = n.to_bytes(8, "big")
    messages[-1] ^= 1
    sent = wrap(1, GZIP, bytes(messages), offset=2, timestamp=3000)
    assert refused(sent, FORMAT_1, release).error == CORRUPT


@pytest.mark.parametrize(
    ("release", "error"),
    [("0.8.2.2", UNKNOWN), ("0.9.0.1", UNKNOWN), ("0.10.0.1", CORRUPT), ("0.10.1.1", CORRUPT), ("0.10.2.2", UNKNOWN)],
)
def test_a_payload_that_its_codec_refuses_is_an_error(release: str, error: ErrorCode) -> None:
    magic = int(release.startswith("0.10"))
    message = (v0.message(0, None, b"no gzip", GZIP), v1.message(0, 5, None, b"no gzip", GZIP))[magic]
    assert refused(message, AppendTarget(magic), release).error == error


@pytest.mark.parametrize("release", MESSAGE_BROKERS)
def test_a_cut_gzip_stream_ends_there_from_0_9_to_0_10_1(release: str) -> None:
    rich = [r._replace(value=bytes(range(250)) * 8) for r in ROWS]
    wrapper = Message(v0.build(rich, codec=GZIP))
    stream = wrapper.value
    assert stream is not None
    sent = v0.message(2, None, stream[:-60], GZIP)
    if release in ("0.9.0.1", "0.10.0.1", "0.10.1.1"):
        assert prepared(sent, FORMAT_0, release).last_offset < 102
    else:
        assert refused(sent, FORMAT_0, release).error == UNKNOWN


@pytest.mark.parametrize("release", MESSAGE_BROKERS)
def test_a_wrapper_without_value_is_error_minus_1(release: str) -> None:
    assert refused(v0.message(0, None, None, GZIP), FORMAT_0, release).error == UNKNOWN


@pytest.mark.parametrize("release", MESSAGE_BROKERS)
def test_a_wrapper_of_nothing_appends_nothing_or_fails(release: str) -> None:
    sent = wrap(0, GZIP, b"", offset=0, timestamp=-1)
    if release == "0.10.2.2":
        assert refused(sent, FORMAT_0, release).error == UNKNOWN
    else:
        made = prepared(sent, FORMAT_0, release)
        assert (made.batches, made.first_offset, made.last_offset) == ([], START, START - 1)


@pytest.mark.parametrize("release", MESSAGE_BROKERS)
def test_a_wrapper_in_a_wrapper_is_opened_kept_or_refused(release: str) -> None:
    sent = wrap(0, GZIP, build(0, GZIP), offset=2, timestamp=-1)
    if release in ("0.8.0", "0.8.2.2"):
        assert prepared(sent, FORMAT_0, release).last_offset == 102
    elif release == "0.9.0.1":
        assert [m.codec for m in inside(prepared(sent, FORMAT_0, release))] == [GZIP]
    else:
        assert refused(sent, FORMAT_0, release).error == CORRUPT


@pytest.mark.parametrize(("release", "error"), [("0.10.0.1", UNKNOWN), ("0.10.1.1", CORRUPT), ("0.10.2.2", CORRUPT)])
def test_a_wrapper_holds_messages_of_its_own_format(release: str, error: ErrorCode) -> None:
    sent = wrap(1, GZIP, build(0), offset=2, timestamp=3000)
    assert refused(sent, FORMAT_1, release).error == error


@pytest.mark.parametrize("release", MESSAGE_BROKERS)
def test_codecs_that_a_release_does_not_know_are_error_minus_1(release: str) -> None:
    message = v0.message(0, None, b"", 7)
    assert refused(message, FORMAT_0, release).error == UNKNOWN


def test_0_8_0_sees_two_bits_of_a_codec() -> None:
    made = prepared(v0.message(0, b"k", b"v", 4), FORMAT_0, "0.8.0")
    assert bytes(made.data)[17] == 4


def test_lz4_frames_have_the_header_checksum_that_the_release_knows() -> None:
    broken = build(0, LZ4)
    right = wrap(0, LZ4, build(0), offset=2, timestamp=-1)
    assert prepared(broken, FORMAT_0, "0.9.0.1").last_offset == 102
    assert prepared(broken, FORMAT_0, "0.10.0.1").last_offset == 102
    stream = Message(build(1, LZ4)).value
    assert stream is not None
    assert refused(v0.message(2, None, stream, LZ4), FORMAT_0, "0.9.0.1").error == UNKNOWN
    assert right == broken


# ---- what a topic does not accept


@pytest.mark.parametrize("release", MESSAGE_BROKERS)
@pytest.mark.parametrize("codec", [NONE, GZIP])
def test_a_compacted_topic_wants_keys_from_0_9_on(release: str, codec: int) -> None:
    sent = v0.build([r._replace(key=None) for r in ROWS], codec=codec)
    target = FORMAT_0._replace(compacted=True)
    if release.startswith("0.8"):
        assert prepared(sent, target, release).last_offset == 102
    else:
        assert refused(sent, target, release).error == CORRUPT


@pytest.mark.parametrize(("codec", "error"), [(NONE, CORRUPT), (GZIP, None)])
def test_an_empty_key_counts_as_missing_in_0_9_unless_the_set_is_compressed(
    codec: int, error: ErrorCode | None
) -> None:
    sent = v0.build([r._replace(key=b"") for r in ROWS], codec=codec)
    target = FORMAT_0._replace(compacted=True)
    assert prepared(sent, target, "0.10.0.1").last_offset == 102
    if error is None:
        assert prepared(sent, target, "0.9.0.1").last_offset == 102
    else:
        assert refused(sent, target, "0.9.0.1").error == error


@pytest.mark.parametrize("release", WITH_FORMAT_1)
@pytest.mark.parametrize("codec", [NONE, GZIP])
@pytest.mark.parametrize(
    ("timestamp", "good"),
    [(NOW - 1000, True), (NOW + 1000, True), (NOW - 1001, False), (NOW + 1001, False), (-1, False)],
)
def test_times_lie_within_the_limits(release: str, codec: int, timestamp: int, good: bool) -> None:
    sent = v1.build(rows(timestamp), codec=codec)
    target = FORMAT_1._replace(before_max_ms=1000, after_max_ms=1000)
    if good:
        assert prepared(sent, target, release).max_timestamp == timestamp
    else:
        assert refused(sent, target, release).error == ErrorCode.INVALID_TIMESTAMP
    assert prepared(sent, target._replace(append_time=True), release).max_timestamp == NOW


@pytest.mark.parametrize("release", WITH_FORMAT_1)
@pytest.mark.parametrize("codec", [NONE, GZIP])
def test_a_client_may_not_claim_append_time(release: str, codec: int) -> None:
    sent = v1.build(rows(NOW), codec=codec, append_time=NOW)
    assert refused(sent, FORMAT_1, release).error == ErrorCode.INVALID_TIMESTAMP
