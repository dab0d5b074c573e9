"""What brokers from 0.11 on refuse: broken bytes, batches that contradict themselves."""

import pytest
from fakekafka.binary import crc32
from fakekafka.errors import ErrorCode
from fakekafka.records import v0, v1, v2
from fakekafka.records.append.checks import check_sizes, error_of, gaps, last_codec
from fakekafka.records.append.prepared import AppendTarget, SetRefused
from fakekafka.records.compression import GZIP, NONE, SNAPPY, ZSTD
from fakekafka.records.malformed import (
    CorruptUnit,
    FieldPastEnd,
    InvalidRecord,
    LengthPastEnd,
    NegativeLength,
    OverlongLength,
    PayloadEndsEarly,
    UndecodablePayload,
)
from fakekafka.records.v2 import RecordBatch
from fakekafka.records.wrapper import wrap

from tests.emulator.records.appending import BATCH_BROKERS, prepared, refused, rows, rules, sealed

PLAIN = AppendTarget(2, name="t-0")
ROWS = rows(1000, 3000, 2000)
UNKNOWN = ErrorCode.UNKNOWN_SERVER_ERROR
CORRUPT = ErrorCode.CORRUPT_MESSAGE
INVALID = ErrorCode.INVALID_RECORD
LENGTH_AT = 61
"""The position of the first record's length."""
NEWEST = BATCH_BROKERS[-1]


def invalid(release: str) -> ErrorCode:
    """The error with which the release refuses records."""
    return CORRUPT if release in ("0.11.0.3", "1.1.1", "2.3.1") else INVALID


# ---- bytes that cannot be read


@pytest.mark.parametrize(
    ("wrong", "compressed", "skipping", "answers"),
    [
        (CorruptUnit, False, False, (CORRUPT, CORRUPT, CORRUPT)),
        (InvalidRecord, False, False, (CORRUPT, INVALID, INVALID)),
        (InvalidRecord, True, True, (CORRUPT, INVALID, INVALID)),
        (LengthPastEnd, False, False, (UNKNOWN, UNKNOWN, INVALID)),
        (LengthPastEnd, True, True, (CORRUPT, INVALID, INVALID)),
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


@pytest.mark.parametrize(("release", "error"), [
    ("0.11.0.3", UNKNOWN), ("2.3.1", UNKNOWN), ("3.0.0", UNKNOWN), ("3.0.1", INVALID), ("3.9.1", INVALID),
])  # fmt: skip
def test_a_first_record_that_is_longer_than_its_batch_is_error_minus_1_up_to_3_0_0(
    release: str, error: ErrorCode
) -> None:
    """KAFKA-13149. Asked of 0.11.0.3, 2.3.1, 3.0.0 and 3.0.1; if it is also the last one, it is refused as invalid."""
    sent = bytearray(v2.build(ROWS))
    sent[LENGTH_AT] = 126
    assert refused(sealed(bytes(sent)), PLAIN, release).error == error


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
def test_a_count_above_the_number_of_records_is_an_invalid_record(release: str) -> None:
    sent = sealed(v2.build(ROWS), 57, (4).to_bytes(4, "big"))
    sent = sealed(sent, 23, (3).to_bytes(4, "big"))
    assert refused(sent, PLAIN, release).error == invalid(release)


@pytest.mark.parametrize("release", BATCH_BROKERS)
def test_an_unknown_codec_is_error_minus_1(release: str) -> None:
    assert refused(sealed(v2.build(ROWS), 22, b"\5"), PLAIN, release).error == UNKNOWN


def test_before_2_1_zstd_is_an_unknown_codec() -> None:
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


def test_the_size_is_checked_before_the_checksum() -> None:
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
    with pytest.raises(SetRefused):
        check_sizes([unit], PLAIN._replace(max_bytes=unit.size - 1))


# ---- a batch's header


DISAGREEMENTS = [
    (57, bytes(4), "0.11.0.3"),  # no records
    (57, b"\xff\xff\xff\xff", "1.1.1"),
    (23, (5).to_bytes(4, "big"), "1.1.1"),  # another last offset delta
    (22, b"\x20", "0.11.0.3"),  # control
]
"""A position in a batch, other bytes for that position, and the first release that refuses them."""


@pytest.mark.parametrize(
    ("at", "new", "release"),
    [(at, new, release) for at, new, since in DISAGREEMENTS for release in BATCH_BROKERS[BATCH_BROKERS.index(since) :]],
)
def test_a_batch_that_disagrees_with_itself_is_refused(at: int, new: bytes, release: str) -> None:
    assert refused(sealed(v2.build(ROWS), at, new), PLAIN, release).error == invalid(release)


def test_0_11_gives_offsets_backwards_to_a_batch_that_says_it_is_longer() -> None:
    made = prepared(sealed(v2.build(ROWS), 23, (5).to_bytes(4, "big")), PLAIN, "0.11.0.3")
    assert (made.batches[0].base_offset, made.last_offset) == (97, 102)


@pytest.mark.parametrize("release", BATCH_BROKERS)
def test_a_producer_with_an_id_must_number_its_records(release: str) -> None:
    sent = v2.build(ROWS, producer_id=1, producer_epoch=0)
    assert refused(sent, PLAIN, release).error == invalid(release)
