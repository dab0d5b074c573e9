"""What brokers from 0.11 on refuse: broken bytes, batches that contradict themselves, records that a topic forbids."""

import pytest
from fakekafka.binary import crc32
from fakekafka.errors import ErrorCode
from fakekafka.records import v0, v1, v2
from fakekafka.records.append_rules import AppendTarget, RecordError
from fakekafka.records.compression import GZIP, NONE, SNAPPY, ZSTD
from fakekafka.records.malformed import (
    CorruptUnit,
    FieldPastEnd,
    InvalidRecord,
    NegativeLength,
    OverlongLength,
    PayloadEndsEarly,
    UndecodablePayload,
)
from fakekafka.records.v2 import RecordBatch
from fakekafka.records.validate import check_sizes, error_of, gaps, last_codec
from fakekafka.records.wrapper import wrap

from tests.emulator.records.appending import BATCH_BROKERS, NOW, prepared, refused, rows, rules, sealed

PLAIN = AppendTarget(2, name="t-0")
COMPACTED = PLAIN._replace(compacted=True)
LIMITED = PLAIN._replace(before_max_ms=1000, after_max_ms=1000)
ROWS = rows(1000, 3000, 2000)
KEYLESS = [ROWS[0], ROWS[1]._replace(key=None), ROWS[2]._replace(key=None)]
UNKNOWN = ErrorCode.UNKNOWN_SERVER_ERROR
CORRUPT = ErrorCode.CORRUPT_MESSAGE
INVALID = ErrorCode.INVALID_RECORD
NEWEST = BATCH_BROKERS[-1]


def invalid(release: str) -> ErrorCode:
    """What the release calls records that it does not take."""
    return CORRUPT if release in ("0.11.0.3", "1.1.1", "2.3.1") else INVALID


# ---- bytes that cannot be read


@pytest.mark.parametrize(
    ("wrong", "compressed", "skipping", "answers"),
    [
        (CorruptUnit, False, False, (CORRUPT, CORRUPT, CORRUPT)),
        (InvalidRecord, False, False, (CORRUPT, INVALID, INVALID)),
        (InvalidRecord, True, True, (CORRUPT, INVALID, INVALID)),
        (UndecodablePayload, True, True, (UNKNOWN, UNKNOWN, UNKNOWN)),
        (FieldPastEnd, False, False, (UNKNOWN, UNKNOWN, UNKNOWN)),
        (PayloadEndsEarly, True, True, (CORRUPT, INVALID, UNKNOWN)),
        (PayloadEndsEarly, False, False, (UNKNOWN, UNKNOWN, UNKNOWN)),
        (OverlongLength, True, True, (UNKNOWN, UNKNOWN, INVALID)),
        (OverlongLength, False, False, (UNKNOWN, UNKNOWN, UNKNOWN)),
        (NegativeLength, True, True, (CORRUPT, INVALID, INVALID)),
        (NegativeLength, True, False, (UNKNOWN, UNKNOWN, UNKNOWN)),
        (NegativeLength, False, False, (CORRUPT, INVALID, INVALID)),
    ],
)
def test_every_kind_of_broken_bytes_has_its_error(
    wrong: type[InvalidRecord], compressed: bool, skipping: bool, answers: tuple[ErrorCode, ...]
) -> None:
    found = tuple(error_of(wrong(""), compressed, skipping, rules(r)) for r in ("2.3.1", "2.8.2", "3.9.1"))
    assert found == answers


@pytest.mark.parametrize("release", BATCH_BROKERS)
@pytest.mark.parametrize("magic", [0, 1, 2])
def test_a_wrong_checksum_is_error_2(release: str, magic: int) -> None:
    sent = bytearray((v0.build, v1.build, v2.build)[magic](ROWS))
    sent[-1] ^= 1
    assert refused(sent, AppendTarget(magic), release).error == CORRUPT


@pytest.mark.parametrize("release", BATCH_BROKERS)
def test_a_wrong_checksum_inside_a_wrapper_is_error_2(release: str) -> None:
    inner = bytearray(v1.build(ROWS))
    inner[-1] ^= 1
    sent = wrap(1, GZIP, bytes(inner), offset=2, timestamp=3000)
    assert refused(sent, AppendTarget(1), release).error == CORRUPT


@pytest.mark.parametrize("release", BATCH_BROKERS)
def test_a_count_above_the_records_there_is_an_invalid_record(release: str) -> None:
    sent = sealed(v2.build(ROWS), 57, (4).to_bytes(4, "big"))
    sent = sealed(sent, 23, (3).to_bytes(4, "big"))
    assert refused(sent, PLAIN, release).error == invalid(release)


@pytest.mark.parametrize("release", BATCH_BROKERS)
def test_a_codec_that_nobody_knows_is_error_minus_1(release: str) -> None:
    assert refused(sealed(v2.build(ROWS), 22, b"\5"), PLAIN, release).error == UNKNOWN


def test_zstd_is_such_a_codec_before_2_1() -> None:
    sent = v2.build(ROWS, codec=ZSTD)
    assert refused(sent, PLAIN, "2.0.1").error == UNKNOWN
    assert prepared(sent, PLAIN, "2.1.1").last_offset == 102


@pytest.mark.parametrize(("release", "error"), [("2.0.1", UNKNOWN), ("2.3.1", CORRUPT), ("2.8.2", INVALID)])
def test_zstd_in_a_wrapper_was_never_allowed(release: str, error: ErrorCode) -> None:
    message = bytearray(v1.build(ROWS[:1]))
    message[17] = ZSTD
    message[12:16] = crc32(message[16:]).to_bytes(4, "big")
    assert refused(message, AppendTarget(1), release).error == error


# ---- the set


@pytest.mark.parametrize("release", BATCH_BROKERS)
def test_the_largest_allowed_set_has_as_many_bytes_as_the_limit(release: str) -> None:
    sent = v2.build(ROWS)
    assert prepared(sent, PLAIN._replace(max_bytes=len(sent)), release).last_offset == 102
    fatal = refused(sent, PLAIN._replace(max_bytes=len(sent) - 1), release)
    assert fatal.error == ErrorCode.MESSAGE_TOO_LARGE


def test_the_size_is_looked_at_before_the_checksum() -> None:
    sent = bytearray(v2.build(ROWS))
    sent[-1] ^= 1
    assert refused(sent, PLAIN._replace(max_bytes=10), NEWEST).error == ErrorCode.MESSAGE_TOO_LARGE


@pytest.mark.parametrize("release", BATCH_BROKERS)
def test_a_batch_that_a_client_sends_begins_at_offset_0(release: str) -> None:
    sent = v2.build([r._replace(offset=r.offset + 1) for r in ROWS])
    assert refused(sent, PLAIN, release).error == invalid(release)


def test_the_last_codec_of_a_set_counts_for_all_of_it() -> None:
    units = [RecordBatch(v2.build(ROWS, codec=codec)) for codec in (GZIP, SNAPPY, NONE)]
    assert last_codec([*units]) == SNAPPY
    assert last_codec([units[2]]) == NONE


def test_offsets_out_of_step_are_found() -> None:
    assert gaps([0, 1, 2]) == []
    assert gaps([0, 2, 2, 4]) == [1, 3]


def test_units_within_the_limit_pass() -> None:
    unit = RecordBatch(v2.build(ROWS))
    check_sizes([unit], PLAIN._replace(max_bytes=unit.size))


# ---- a batch's header


@pytest.mark.parametrize(
    ("at", "new", "since"),
    [
        (57, bytes(4), "0.11.0.3"),  # no records
        (57, b"\xff\xff\xff\xff", "1.1.1"),
        (23, (5).to_bytes(4, "big"), "1.1.1"),  # the last offset delta is another
        (22, b"\x20", "0.11.0.3"),  # control
    ],
)
@pytest.mark.parametrize("release", BATCH_BROKERS)
def test_a_batch_agrees_with_itself(release: str, at: int, new: bytes, since: str) -> None:
    if BATCH_BROKERS.index(release) >= BATCH_BROKERS.index(since):
        assert refused(sealed(v2.build(ROWS), at, new), PLAIN, release).error == invalid(release)


def test_0_11_gives_offsets_backwards_to_a_batch_that_says_it_is_longer() -> None:
    made = prepared(sealed(v2.build(ROWS), 23, (5).to_bytes(4, "big")), PLAIN, "0.11.0.3")
    assert (made.batches[0].base_offset, made.last_offset) == (97, 102)


@pytest.mark.parametrize("release", BATCH_BROKERS)
def test_who_has_a_producer_id_numbers_records(release: str) -> None:
    sent = v2.build(ROWS, producer_id=1, producer_epoch=0)
    assert refused(sent, PLAIN, release).error == invalid(release)


# ---- records that the topic does not take


@pytest.mark.parametrize("release", BATCH_BROKERS)
@pytest.mark.parametrize("codec", [NONE, GZIP])
@pytest.mark.parametrize("magic", [0, 1, 2])
def test_a_compacted_topic_wants_keys(release: str, codec: int, magic: int) -> None:
    build = (v0.build, v1.build, v2.build)[magic]
    target = COMPACTED._replace(magic=magic)
    assert refused(build(KEYLESS, codec=codec), target, release).error == invalid(release)
    empty = [r._replace(key=b"") for r in ROWS]
    assert prepared(build(empty, codec=codec), target, release).last_offset == 102


@pytest.mark.parametrize("codec", [NONE, GZIP])
def test_details_about_records_by_release(codec: int) -> None:
    sent = v2.build(KEYLESS, codec=codec)
    text = "Compacted topic cannot accept message without key in topic partition t-0."
    assert refused(sent, COMPACTED, "2.3.1").records == ()
    first = refused(sent, COMPACTED, "2.4.1")
    assert (first.message, first.records) == (text, [RecordError(1, INVALID, None)])
    both = [RecordError(1, INVALID, text), RecordError(2, INVALID, text)]
    short = refused(sent, COMPACTED, "2.8.2")
    assert (short.message, short.records) == ("One or more records have been rejected", both)
    long = refused(sent, COMPACTED, "3.5.2")
    assert long.records == both
    assert long.message == (
        "One or more records have been rejected due to 2 record errors in total, and only showing the first three "
        f"errors at most: [RecordError(batchIndex=1, message='{text}'), RecordError(batchIndex=2, message='{text}')]"
    )


@pytest.mark.parametrize("release", BATCH_BROKERS)
@pytest.mark.parametrize("codec", [NONE, GZIP])
@pytest.mark.parametrize("magic", [1, 2])
@pytest.mark.parametrize(("timestamp", "good"), [(NOW, True), (NOW - 1000, True), (NOW + 1000, True),
                                                 (NOW - 1001, False), (NOW + 1001, False), (-1, True)])  # fmt: skip
def test_times_lie_within_the_limits(release: str, codec: int, magic: int, timestamp: int, good: bool) -> None:
    sent = (v0.build, v1.build, v2.build)[magic](rows(NOW, timestamp, NOW), codec=codec)
    target = LIMITED._replace(magic=magic)
    if good:
        assert prepared(sent, target, release).last_offset == 102
    else:
        assert refused(sent, target, release).error == ErrorCode.INVALID_TIMESTAMP


def test_the_limits_do_not_count_where_the_broker_gives_the_time() -> None:
    assert prepared(v2.build(ROWS), LIMITED._replace(append_time=True), NEWEST).max_timestamp == NOW


def test_what_is_wrong_with_times_is_told() -> None:
    fatal = refused(v2.build(rows(NOW, 5)), LIMITED, "3.9.1")
    text = (
        "Timestamp 5 of message with offset 1 is out of range. "
        f"The timestamp should be within [{NOW - 1000}, {NOW + 1000}]"
    )
    assert fatal.records == [RecordError(1, ErrorCode.INVALID_TIMESTAMP, text)]
    assert fatal.message == "One or more records have been rejected due to invalid timestamp"


@pytest.mark.parametrize("release", BATCH_BROKERS)
@pytest.mark.parametrize("codec", [NONE, GZIP])
def test_a_client_does_not_say_append_time(release: str, codec: int) -> None:
    sent = v2.build(rows(NOW), append_time=NOW, codec=codec)
    if release in ("3.9.1", "4.3.1"):
        assert prepared(sent, PLAIN, release).batches[0].timestamp_type == 0
    else:
        assert refused(sent, PLAIN, release).error == ErrorCode.INVALID_TIMESTAMP
    assert refused(sent, PLAIN._replace(append_time=True), release).error == ErrorCode.INVALID_TIMESTAMP


def test_a_bad_record_before_broken_bytes_comes_first_until_all_are_told() -> None:
    late = rows(NOW, 5, NOW)
    broken = sealed(sealed(v2.build(late), 57, (4).to_bytes(4, "big")), 23, (3).to_bytes(4, "big"))
    assert refused(broken, LIMITED, "2.3.1").error == ErrorCode.INVALID_TIMESTAMP
    assert refused(broken, LIMITED, "2.4.1").error == ErrorCode.INVALID_TIMESTAMP
    assert refused(broken, LIMITED, "2.8.2").error == INVALID


@pytest.mark.parametrize("release", BATCH_BROKERS)
def test_a_wrapper_holds_messages_of_its_own_format(release: str) -> None:
    sent = wrap(1, GZIP, v0.build(ROWS), offset=2, timestamp=3000)
    assert refused(sent, AppendTarget(1), release).error == invalid(release)


@pytest.mark.parametrize(("magic", "error"), [(0, UNKNOWN), (1, INVALID)])
def test_a_message_of_no_format_in_a_wrapper_fails_unless_it_has_room_for_the_fields_of_format_1(
    magic: int, error: ErrorCode
) -> None:
    inner = bytearray((v0.build, v1.build)[magic](ROWS[:1]))
    inner[16] = 3
    sent = wrap(1, GZIP, bytes(inner), offset=0, timestamp=3000)
    assert refused(sent, AppendTarget(1), "2.3.1").error == CORRUPT
    assert refused(sent, AppendTarget(1), "3.9.1").error == error
