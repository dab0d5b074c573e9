"""Which slices are converted. How they are converted is tested in tests/emulator/records/test_down_convert.py."""

import pytest
from fakekafka import FakeKafka
from fakekafka.cluster.conversion import readable, refuses_zstd
from fakekafka.cluster.reading import ReadData
from fakekafka.errors import ErrorCode, MalformedBytes
from fakekafka.ids import Buffer
from fakekafka.pieces import finished, joined
from fakekafka.records import v2
from fakekafka.records.record import Record
from fakekafka.records.scan import units_of_any_magic

from tests.support.seeded import NOW, batch, booted, broker_of, marker, messages, partition_of, store

FORMATS = {0: "0.9.0", 1: "0.10.0", 2: "0.11.0"}
OLD_PROTOCOL: dict[str, object] = {"inter.broker.protocol.version": "2.8"}


def with_format(release: str, magic: int, **topic: str) -> FakeKafka:
    old = OLD_PROTOCOL if release.startswith("3.") and release < "3.3" and magic < 2 else None
    return booted(release, 1, old, message_format_version=FORMATS[magic], **topic)


def magics(
    kafka: FakeKafka, newest: int, *sets: Buffer, offset: int = 0, follower: bool = False
) -> list[int] | ErrorCode:
    """Formats of the units that a client gets for a slice of these sets."""
    found = ReadData(list(sets), sum(map(len, sets)))
    out = finished(readable(broker_of(kafka), partition_of(kafka), found, offset, newest, follower))
    return out if isinstance(out, ErrorCode) else [unit.magic for unit in units_of_any_magic(joined(out))]


@pytest.mark.parametrize("release", ["0.11.0", "1.1", "2.3", "2.8", "3.2"])
def test_the_configured_format_decides_about_conversion_and_not_the_stored_one(release: str) -> None:
    """FORMAT-LOWERED: recorded from 0.11.0.3 to 3.9.1, format_lowered."""
    kafka = with_format(release, 0)
    assert magics(kafka, 0, messages(0, 0), messages(1, 2), batch(4)) == [0, 0, 1, 1, 2]
    kafka = with_format(release, 1)
    assert magics(kafka, 1, messages(1, 0), batch(2)) == [1, 1, 2]


@pytest.mark.parametrize("release", ["0.11.0", "1.1", "2.3", "2.8", "3.9"])
def test_units_newer_than_the_client_are_converted(release: str) -> None:
    kafka = booted(release)
    filled = messages(0, 0, 1), batch(1, 1)
    assert magics(kafka, 0, *filled)[:2] == [0, 0]  # type: ignore[index]
    assert magics(kafka, 1, *filled)[:2] == [0, 1]  # type: ignore[index]
    assert magics(kafka, 2, *filled) == [0, 2]


def test_a_slice_without_newer_units_keeps_its_cut_end_up_to_2_8() -> None:
    """From 3.0 on it is converted all the same, and gets a filler in place of the cut unit."""
    sets: list[Buffer] = [messages(1, 0, 1), messages(1, 1, 1)[:20]]
    found = ReadData(sets, sum(map(len, sets)))
    old, new = booted("2.8"), booted("3.0")
    assert finished(readable(broker_of(old), partition_of(old), found, 0, 1, False)) is sets
    converted = finished(readable(broker_of(new), partition_of(new), found, 0, 1, False))
    assert not isinstance(converted, ErrorCode)
    assert bytes(joined(converted))[len(sets[0]) :].startswith(b"\xff" * 8)


def test_early_brokers_also_examine_a_unit_that_is_cut() -> None:
    for release, converted in (("0.10.1", True), ("0.10.2", False)):
        kafka = booted(release)
        store(kafka, messages(0, 0, 1), messages(1, 1, 1))
        log = partition_of(kafka).log
        found = log.read(0, len(messages(0, 0, 1)) + 5, 2, False)
        assert not isinstance(found, ErrorCode)
        out = finished(
            readable(broker_of(kafka), partition_of(kafka), ReadData(found.buffers, found.size), 0, 0, False)
        )
        assert not isinstance(out, ErrorCode)
        assert (out is not found.buffers) is converted


def test_0_10_makes_one_set_of_a_slice() -> None:
    kafka = booted("0.10.2")
    assert magics(kafka, 0, messages(1, 0, 2, codec=1), messages(1, 2, 2, codec=1)) == [0]


def test_0_10_cannot_convert_format_2() -> None:
    kafka = booted("0.10.2")
    with pytest.raises(MalformedBytes):
        magics(kafka, 0, messages(1, 0), batch(2))


def test_4_0_converts_nothing() -> None:
    assert magics(booted("4.0"), 1, batch(0)) == [2]


@pytest.mark.parametrize(("release", "size"), [("0.11.0", 0), ("1.0", 0), ("1.1", 78), ("2.0", 12), ("3.9", 12)])
def test_what_a_marker_becomes_depends_on_the_release(release: str, size: int) -> None:
    """EMPTY-CONVERTED: recorded from 0.11.0.3 to 3.8.1, fetch_formats."""
    kafka = booted(release)
    found = ReadData([marker(0)], 78)
    out = finished(readable(broker_of(kafka), partition_of(kafka), found, 0, 1, False))
    assert not isinstance(out, ErrorCode)
    assert sum(map(len, out)) == size


@pytest.mark.parametrize(
    ("release", "fails"), [("0.11.0", True), ("1.0.1", True), ("1.0.2", False), ("1.1.0", True), ("1.1.1", False)]
)
def test_headers_fail_the_request_or_are_dropped(release: str, fails: bool) -> None:
    """KAFKA-6739: recorded from 0.11.0.3 and 1.1.1, fetch_formats."""
    kafka = booted(release)
    data = v2.build([Record(0, NOW, 0, None, b"v", (("h", b"x"),))])
    if fails:
        with pytest.raises(MalformedBytes):
            magics(kafka, 1, data)
    else:
        assert magics(kafka, 1, data) == [1]


def test_conversion_can_be_forbidden_to_clients_but_not_to_followers() -> None:
    kafka = booted("2.3", message_downconversion_enable="false")
    assert magics(kafka, 1, batch(0)) is ErrorCode.UNSUPPORTED_VERSION
    assert magics(kafka, 1, batch(0), follower=True) == [1, 1]
    assert magics(kafka, 2, batch(0)) == [2]
    assert magics(kafka, 1, messages(1, 0)) == [1, 1]


@pytest.mark.parametrize(
    ("release", "told"), [("2.8", ErrorCode.OFFSET_OUT_OF_RANGE), ("3.0", ErrorCode.UNSUPPORTED_VERSION)]
)
def test_forbidding_conversion_hides_other_errors_from_3_0_on(release: str, told: ErrorCode) -> None:
    kafka = booted(release, message_downconversion_enable="false")
    error = ErrorCode.OFFSET_OUT_OF_RANGE
    assert finished(readable(broker_of(kafka), partition_of(kafka), error, 0, 1, False)) is told
    assert finished(readable(broker_of(kafka), partition_of(kafka), error, 0, 2, False)) is error


def test_zstd_at_the_front_is_an_error() -> None:
    assert magics(booted("2.3"), 1, batch(0, codec=4)) is ErrorCode.UNSUPPORTED_COMPRESSION_TYPE
    assert magics(booted("2.3"), 2, batch(0, codec=4)) == [2]


@pytest.mark.parametrize(
    ("release", "exists", "unknown"),
    [("2.1", True, True), ("2.2", True, False), ("3.9", True, False), ("4.0", False, False)],
)
def test_topics_of_type_zstd_are_closed_to_clients_that_cannot_read_it(
    release: str, exists: bool, unknown: bool
) -> None:
    kafka = booted(release, compression_type="zstd")
    assert refuses_zstd(broker_of(kafka), partition_of(kafka)) is exists
    assert refuses_zstd(broker_of(kafka), None) is unknown
    assert not refuses_zstd(broker_of(booted(release)), partition_of(booted(release)))
