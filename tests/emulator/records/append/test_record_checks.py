"""Records that a topic does not accept, and what brokers from 0.11 on say about them."""

import pytest
from fakekafka.errors import ErrorCode
from fakekafka.records import v0, v1, v2
from fakekafka.records.append.prepared import AppendTarget, RecordError
from fakekafka.records.compression import GZIP, NONE
from fakekafka.records.wrapper import wrap

from tests.emulator.records.appending import BATCH_BROKERS, NOW, prepared, refused, rows, sealed

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
    """The error with which the release refuses records."""
    return CORRUPT if release in ("0.11.0.3", "1.1.1", "2.3.1") else INVALID


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
def test_the_details_about_bad_records_depend_on_the_release(codec: int) -> None:
    sent = v2.build(KEYLESS, codec=codec)
    text = "Compacted topic cannot accept message without key in topic partition t-0."
    assert refused(sent, COMPACTED, "2.3.1").records == ()
    first = refused(sent, COMPACTED, "2.4.1")
    assert (first.message, first.records) == (text, [RecordError(1, INVALID, None)])
    both = [RecordError(1, INVALID, text), RecordError(2, INVALID, text)]
    short = refused(sent, COMPACTED, "2.8.2")
    assert (short.message, short.records) == ("One or more records have been rejected", both)
    text = text.removesuffix(".")
    long = refused(sent, COMPACTED, "3.5.2")
    assert long.records == [RecordError(1, INVALID, text), RecordError(2, INVALID, text)]
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


def test_a_bad_timestamp_is_named_in_the_message() -> None:
    fatal = refused(v2.build(rows(NOW, 5)), LIMITED, "3.9.1")
    text = (
        "Timestamp 5 of message with offset 1 is out of range. "
        f"The timestamp should be within [{NOW - 1000}, {NOW + 1000}]"
    )
    assert fatal.records == [RecordError(1, ErrorCode.INVALID_TIMESTAMP, text)]
    assert fatal.message == "One or more records have been rejected due to invalid timestamp"


def test_a_limit_past_the_last_millisecond_wraps_around_in_the_message() -> None:
    target = PLAIN._replace(before_max_ms=1000)
    fatal = refused(v2.build(rows(NOW, 5)), target, "3.9.1")
    assert (fatal.records[0].text or "").endswith(f"[{NOW - 1000}, {NOW - 1 - 2**63}]")


@pytest.mark.parametrize(("release", "codec", "shown"), [
    ("3.9.1", NONE, "DefaultRecord(offset=0, timestamp={}, key=0 bytes, value=2 bytes)"),
    ("3.9.1", GZIP, "PartialDefaultRecord(offset=0, timestamp={}, key=-1 bytes, value=2 bytes)"),
    ("2.4.1", GZIP, "DefaultRecord(offset=0, timestamp={}, key=0 bytes, value=2 bytes)"),
])  # fmt: skip
def test_a_record_that_says_append_time_is_shown_as_far_as_it_was_read(release: str, codec: int, shown: str) -> None:
    time = NOW - 1000 if release == "3.9.1" else NOW
    sent = v2.build([rows(NOW)[0]._replace(key=None, value=b"vv")], append_time=time, codec=codec)
    target = PLAIN._replace(append_time=True)
    said = refused(sent, target, release)
    text = said.records[0].text or said.message or ""
    assert text == (
        f"Invalid timestamp type in message {shown.format(time)}. "
        "Producer should not set timestamp type to LogAppendTime."
    )


@pytest.mark.parametrize("release", BATCH_BROKERS)
@pytest.mark.parametrize("codec", [NONE, GZIP])
def test_a_client_may_not_claim_append_time(release: str, codec: int) -> None:
    sent = v2.build(rows(NOW), append_time=NOW, codec=codec)
    if release in ("3.9.1", "4.3.1"):
        assert prepared(sent, PLAIN, release).batches[0].timestamp_type == 0
    else:
        assert refused(sent, PLAIN, release).error == ErrorCode.INVALID_TIMESTAMP
    assert refused(sent, PLAIN._replace(append_time=True), release).error == ErrorCode.INVALID_TIMESTAMP


def test_a_bad_record_before_broken_bytes_comes_first_until_all_are_reported() -> None:
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
