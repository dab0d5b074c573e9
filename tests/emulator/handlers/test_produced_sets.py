"""Whether a version of Produce may carry a set."""

import pytest
from fakekafka.errors import ErrorCode
from fakekafka.handlers.produce_versions import VERSIONS
from fakekafka.handlers.produced_sets import PLAIN, Validation, validate
from fakekafka.records import v0, v1, v2
from fakekafka.records.record import Record
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release

ROWS = [Record(n, 1000, 0, b"k", b"v") for n in range(2)]
BATCH = v2.build(ROWS)
INVALID = ErrorCode.INVALID_RECORD
CORRUPT = ErrorCode.CORRUPT_MESSAGE


def validated(data: bytes, version: int, release: str) -> Validation | None:
    of = profile(Release.parse(release))
    return validate(data, VERSIONS[version], of.produce, of.append.newest_codec >= 4)


def error(data: bytes, version: int, release: str) -> ErrorCode | None:
    """The error for the set, or None if the connection closes."""
    found = validated(data, version, release)
    return None if found is None else found.error


@pytest.mark.parametrize("release", ["0.11.0.3", "1.1.1", "2.3.1", "2.8.2", "4.3.1"])
@pytest.mark.parametrize("version", [3, 7, 9])
def test_one_batch_of_format_2_may_be_appended(version: int, release: str) -> None:
    assert error(BATCH, version, release) == ErrorCode.NONE


@pytest.mark.parametrize("data", [BATCH, v0.build(ROWS), v1.build(ROWS), BATCH * 2])
@pytest.mark.parametrize("release", ["0.10.2.2", "2.3.1", "3.9.1"])
def test_old_versions_may_carry_any_format(data: bytes, release: str) -> None:
    assert error(data, 2, release) == ErrorCode.NONE


@pytest.mark.parametrize(
    ("release", "answer"), [("1.1.1", None), ("2.3.1", CORRUPT), ("2.8.2", INVALID), ("4.3.1", INVALID)]
)
@pytest.mark.parametrize("data", [v0.build(ROWS), v1.build(ROWS), BATCH * 2])
def test_from_version_3_on_a_record_set_must_be_one_batch(data: bytes, release: str, answer: ErrorCode | None) -> None:
    assert error(data, 3, release) == answer


@pytest.mark.parametrize(
    ("release", "answer"), [("1.1.1", None), ("2.3.1", None), ("2.4.1", None), ("2.8.2", INVALID), ("4.3.1", INVALID)]
)
@pytest.mark.parametrize("data", [b"", bytes(10), BATCH[:-1]])
def test_from_version_3_on_a_set_without_a_whole_batch_is_refused(
    data: bytes, release: str, answer: ErrorCode | None
) -> None:
    assert error(data, 7, release) == answer


@pytest.mark.parametrize(
    ("release", "closes"), [("0.8.2.2", False), ("1.1.1", False), ("2.1.1", True), ("2.7.2", True), ("2.8.2", False)]
)
@pytest.mark.parametrize("data", [b"", bytes(10), v1.build(ROWS)[:20]])
def test_below_version_3_a_set_without_a_whole_message_passes_or_closes_the_connection(
    data: bytes, release: str, closes: bool
) -> None:
    assert validated(data, 2, release) == (None if closes else PLAIN)


def test_a_unit_of_impossible_size_fails_the_request() -> None:
    found = validated(bytes(8) + (5).to_bytes(4, "big") + bytes(40), 9, "2.8.2")
    assert found == Validation(CORRUPT, "Record size 5 is less than the minimum record overhead (14)")
    assert validated(bytes(8) + (5).to_bytes(4, "big") + bytes(40), 9, "2.3.1") is None


def test_an_unknown_magic_fails_the_request() -> None:
    sent = bytearray(BATCH)
    sent[16] = 9
    assert validated(bytes(sent), 9, "3.9.1") == Validation(CORRUPT, "Invalid magic found in record: 9")


@pytest.mark.parametrize(
    ("release", "version", "answer"),
    [
        ("2.1.1", 7, ErrorCode.NONE),
        ("2.1.0", 6, None),
        ("2.1.1", 6, ErrorCode.UNSUPPORTED_COMPRESSION_TYPE),
        ("4.3.1", 6, ErrorCode.UNSUPPORTED_COMPRESSION_TYPE),
        ("2.0.1", 6, ErrorCode.NONE),  # the batch is refused later
        ("4.3.1", 2, ErrorCode.NONE),
    ],
)
def test_zstd_needs_version_7(release: str, version: int, answer: ErrorCode | None) -> None:
    assert error(v2.build(ROWS, codec=4), version, release) == answer


@pytest.mark.parametrize("version", [3, 7, 9])
def test_a_transactional_batch_is_known_by_its_producer(version: int) -> None:
    sent = v2.build(ROWS, transactional=True, producer_id=5, producer_epoch=2, base_sequence=0)
    found = validated(sent, version, "2.8.2")
    assert found == Validation(transactional=True, producer_id=5, producer_epoch=2, base_sequence=0)


def test_a_second_unit_of_impossible_size_is_error_2() -> None:
    behind = bytes(8) + (5).to_bytes(4, "big") + bytes(40)
    assert error(BATCH + behind, 7, "2.8.2") == CORRUPT
    assert error(BATCH + behind, 7, "1.1.1") is None


def test_a_batch_that_ends_before_its_producer_id_closes_the_connection_in_some_releases() -> None:
    short = bytearray(BATCH[:45])
    short[8:12] = (33).to_bytes(4, "big")
    assert validated(bytes(short), 7, "2.3.1") is None
    assert error(bytes(short), 7, "2.8.2") == ErrorCode.NONE
