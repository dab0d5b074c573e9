"""Quirks: what is listed, what a switch changes, and each of them from both sides."""

from contextlib import nullcontext

import pytest
from fakekafka import BrokerWillNotStart, FakeKafka, ManualClock
from fakekafka.admin.record_deletion import delete_records
from fakekafka.bugs import Side, bug
from fakekafka.bugs.running import act
from fakekafka.bugs.shelf.transactions.kafka_9144 import LONG_TRANSACTIONS
from fakekafka.errors import ErrorCode, UsageError
from fakekafka.ids import ApiKey, Magic
from fakekafka.records import hot, v0, v1, v2
from fakekafka.records.batch import Batch
from fakekafka.records.compression import GZIP, LZ4, SNAPPY, compress
from fakekafka.records.lz4_frames import HeaderChecksum
from fakekafka.records.message import Message, set_offset
from fakekafka.records.record import Record
from fakekafka.records.scan import units_of_any_magic
from fakekafka.records.wrapper import wrap
from fakekafka.releases.profile import profile
from fakekafka.releases.quirks import QUIRKS, REPAIRED, active, patched, quirk
from fakekafka.releases.release import Release, all_releases
from fakekafka.wire.apis.api_versions import ApiVersionsRequest, ApiVersionsResponse
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic
from fakekafka.wire.apis.join_group import JoinGroupRequest
from fakekafka.wire.frames import request_frame

from tests.support.brokers import answer
from tests.support.producing import batch as produced
from tests.support.producing import errors, one, produce, raw, request
from tests.support.seeded import NOW, batch, marker, messages, partition_of, rows, store

UNKNOWN = ErrorCode.UNKNOWN_SERVER_ERROR
SHIPPED = {
    "KAFKA-3160": "0.8.2.0 - 0.9.0.1",
    "KAFKA-5236": "0.10.2.0 - 0.10.2.2",
    "KAFKA-6739": "0.11.0.0 - 1.0.1, 1.1.0",
    "KAFKA-7549": "0.11.0.0 - 2.7.2",
    "KAFKA-9669": "2.4.0 - 2.5.0",
    "KAFKA-9492": "2.4.0",
    "KAFKA-4298": "0.10.0.1",
    "UNSUPPORTED-FORMAT-43": "0.11.0.0 - 3.9.2",
    "FORMAT-LOWERED": "0.10.0.0 - 3.9.2",
    "EMPTY-CONVERTED": "0.11.0.0 - 1.1.1",
    "KIP-283-OVERFLOW": "2.0.0 - 3.9.2",
}


def booted(release: str, quirks: str = "", config: dict[str, object] | None = None, **topic: str) -> FakeKafka:
    """A broker with the topic "t". `topic`: the topic's configs, with underscores for dots."""
    kafka = FakeKafka(release, config=config, quirks=quirks, clock=ManualClock(NOW)).boot()
    kafka.create_topic("t", 1, {name.replace("_", "."): value for name, value in topic.items()})
    return kafka


def fetched(kafka: FakeKafka, version: int, offset: int = 0, size: int = 1 << 20) -> bytes | ErrorCode:
    """What Fetch answers: records, or an error."""
    asked = FetchPartition(partition=0, fetch_offset=offset, partition_max_bytes=size)
    sent = FetchRequest(max_wait_ms=0, min_bytes=1, topics=[FetchTopic(topic="t", partitions=[asked])])
    (topic,) = answer(kafka, sent, version, FetchResponse).responses
    (partition,) = topic.partitions
    return ErrorCode(partition.error_code) if partition.error_code else bytes(partition.records or b"")


def magics(found: bytes | ErrorCode) -> list[Magic]:
    assert isinstance(found, bytes)
    return [unit.magic for unit in units_of_any_magic(found)]


def stored(kafka: FakeKafka) -> list[Batch]:
    return [unit for segment in partition_of(kafka).log.segments for unit in segment.batches()]


# ---- the table


def test_a_quirk_is_in_the_releases_that_shipped_it() -> None:
    assert {name: quirk(name).shipped_in() for name in SHIPPED} == SHIPPED


def test_by_default_a_release_has_what_it_shipped() -> None:
    for release in all_releases():
        rules = profile(release)
        assert patched(rules, "") is rules


@pytest.mark.parametrize("row", QUIRKS, ids=lambda row: row.name)
def test_a_switch_turns_a_quirk_off_and_on_again(row: object) -> None:
    for known in QUIRKS:
        if known is row:
            has = [r for r in all_releases() if known.is_in(profile(r))]
            rules = profile(has[0])
            off = patched(rules, f"-{known.name}")
            assert not known.is_in(off)
            assert known.is_in(patched(off, known.name))


def test_a_repaired_release_has_no_quirks() -> None:
    for release in all_releases():
        assert active(patched(profile(release), REPAIRED)) == []


def test_switches_count_from_left_to_right() -> None:
    rules = profile(Release.parse("2.4.0"))
    assert [row.name for row in active(patched(rules, "repaired, KAFKA-9669"))] == ["KAFKA-9669"]
    assert "KAFKA-9669" not in [row.name for row in active(patched(rules, "KAFKA-9669,-kafka-9669"))]


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="no quirk 'KAFKA-1'; there are KAFKA-3160, "):
        FakeKafka("2.3", quirks="KAFKA-1")


def test_a_restart_keeps_the_switches() -> None:
    kafka = booted("1.0.1", REPAIRED)
    kafka.restart()
    assert not quirk("KAFKA-6739").is_in(kafka.connect().core.cluster.brokers[0].profile)


# ---- append


@pytest.mark.parametrize(("quirks", "error"), [("", UNKNOWN), ("-KAFKA-3160", 0)])
def test_kafka_3160_right_lz4_frames_are_refused(quirks: str, error: int) -> None:
    stream = compress(LZ4, v0.build(rows(0)), lz4_checksum=HeaderChecksum.RIGHT)
    sent = hot.message(0, 1, -1, LZ4, None, stream)
    assert one(booted("0.9.0", quirks), sent, 1).error_code == error


def test_kafka_5236_snappy_grows() -> None:
    sent = v1.build([Record(n, NOW, 0, b"k", b"%d" % n * 50) for n in range(100)], codec=GZIP)
    sizes = {}
    for quirks in ("", "repaired"):
        kafka = booted("0.10.2", quirks, compression_type="snappy")
        assert one(kafka, sent, 2).error_code == 0
        (unit,) = stored(kafka)
        assert unit.codec == SNAPPY
        sizes[quirks] = unit.size
    assert sizes[""] > sizes["repaired"]


@pytest.mark.parametrize(("version", "error"), [(0, -1), (7, -1), (8, 87)])
def test_kafka_9492_a_bad_record_fails_every_partition(version: int, error: int) -> None:
    magic_2 = version > 2
    keyless = (v2.build if magic_2 else v0.build)([Record(0, NOW, 0, None, b"v")])
    good = produced() if magic_2 else messages(0, 0)
    found = {}
    for quirks in ("", "-KAFKA-9492"):
        kafka = booted("2.4.0", quirks)
        kafka.create_topic("c", 1, {"cleanup.policy": "compact"})
        sent = request({("t", 0): good, ("c", 0): keyless})
        found[quirks] = errors(produce(kafka, sent, version))
    assert found[""] == {("t", 0): 0 if error == 87 else -1, ("c", 0): error}
    assert found["-KAFKA-9492"] == {("t", 0): 0, ("c", 0): 87}


@pytest.mark.parametrize(("release", "quirks", "closes"), [
    ("2.0", "", True), ("2.0", "-KAFKA-7549", False), ("2.2", "", False), ("2.2", "KAFKA-7549", True),
])  # fmt: skip
def test_kafka_7549_two_batches_close_the_connection(release: str, quirks: str, closes: bool) -> None:
    kafka = booted(release, quirks)
    sent = request({("t", 0): produced() + produced()})
    data, closed = raw(kafka, sent, 3)
    assert (data == b"", closed) == (closes, closes)
    if not closes:
        assert one(kafka, produced() + produced(), 3).error_code == ErrorCode.CORRUPT_MESSAGE


@pytest.mark.parametrize(("release", "quirks", "error"), [
    ("2.4.1", "", 87), ("2.4.1", "-KAFKA-9669", 0), ("2.3.1", "", 0), ("2.3.1", "KAFKA-9669", 2),
])  # fmt: skip
def test_kafka_9669_offsets_that_do_not_count_are_refused(release: str, quirks: str, error: int) -> None:
    inside = b"".join(hot.message(1, 0, NOW, 0, b"k", b"v") for _ in range(3))
    sent = wrap(1, GZIP, inside, offset=0, timestamp=NOW)
    kafka = booted(release, quirks, message_format_version="0.10.2")
    assert one(kafka, sent, 2).error_code == error
    if not error:
        assert [record.offset for record in kafka.records("t")] == [0, 1, 2]


@pytest.mark.parametrize(("quirks", "error"), [("", ErrorCode.CORRUPT_MESSAGE), ("-KAFKA-5365", 0)])
def test_kafka_5365_the_offset_of_a_wrapper_is_checked(quirks: str, error: int) -> None:
    sent = bytearray(v1.build([Record(n, NOW, 0, b"k", b"v") for n in range(3)], codec=GZIP))
    set_offset(sent, 1)
    kafka = booted("1.0", quirks, message_format_version="0.10.2")
    assert one(kafka, sent, 2).error_code == error
    assert len(kafka.records("t")) == (0 if error else 3)


@pytest.mark.parametrize(("quirks", "error"), [("", 43), ("-UNSUPPORTED-FORMAT-43", 0)])
def test_unsupported_format_43_idempotent_producers_want_format_2(quirks: str, error: int) -> None:
    kafka = booted("2.3", quirks, message_format_version="0.10.2")
    assert one(kafka, produced(producer=7), 3).error_code == error
    assert [unit.magic for unit in stored(kafka)] == ([] if error else [1, 1])
    assert one(kafka, produced(producer=7, transactional=True), 3, transactional_id="x").error_code != 0


@pytest.mark.parametrize(("release", "quirks", "error"), [
    ("0.10.2", "", 32), ("0.10.2", "-TSDIFF-NO-TIMESTAMP", 0), ("1.0", "", 0), ("1.0", "TSDIFF-NO-TIMESTAMP", 32),
])  # fmt: skip
def test_tsdiff_no_timestamp_a_limit_refuses_records_without_timestamps(release: str, quirks: str, error: int) -> None:
    kafka = booted(release, quirks, message_timestamp_difference_max_ms="1000")
    assert one(kafka, v0.build([Record(0, -1, -1, b"k", b"v")]), 1).error_code == error


# ---- start and negotiation


@pytest.mark.parametrize(("release", "quirks", "starts"), [
    ("1.0.0", "", False), ("1.0.0", "-KAFKA-6238", True), ("1.0.1", "", True), ("1.0.1", "KAFKA-6238", False),
])  # fmt: skip
def test_kafka_6238_versions_are_compared_instead_of_formats(release: str, quirks: str, starts: bool) -> None:
    config: dict[str, object] = {"inter.broker.protocol.version": "0.11.0", "log.message.format.version": "1.0"}
    with nullcontext() if starts else pytest.raises(BrokerWillNotStart, match="cannot be used"):
        booted(release, quirks, config)


@pytest.mark.parametrize(("release", "quirks", "created"), [
    ("2.0.1", "", True), ("2.0.1", "-KAFKA-7409", False), ("2.1.1", "", False), ("2.1.1", "KAFKA-7409", True),
])  # fmt: skip
def test_kafka_7409_a_format_that_does_not_exist_stops_the_next_start(release: str, quirks: str, created: bool) -> None:
    kafka = FakeKafka(release, quirks=quirks, clock=ManualClock(NOW)).boot()
    with nullcontext() if created else pytest.raises(UsageError, match="not a valid version"):
        kafka.create_topic("t", 1, {"message.format.version": "0.99"})
    with pytest.raises(BrokerWillNotStart, match="not a valid version") if created else nullcontext():
        kafka.restart()


@pytest.mark.parametrize(("release", "quirks", "finds"), [
    ("2.7.0", "", False), ("2.7.0", "-KAFKA-12235", True), ("2.7.1", "", True), ("2.7.1", "KAFKA-12235", False),
])  # fmt: skip
def test_kafka_12235_several_names_of_configs_find_nothing(release: str, quirks: str, finds: bool) -> None:
    assert act(bug("KAFKA-12235"), Side(release, quirks), 1 if finds else 0).as_described


@pytest.mark.parametrize(("release", "quirks", "oldest"), [
    ("4.0.0", "", 2), ("4.0.0", "-KAFKA-19444", 0), ("4.0.1", "", 0), ("4.0.1", "KAFKA-19444", 2),
])  # fmt: skip
def test_kafka_19444_join_group_0_and_1_are_missing(release: str, quirks: str, oldest: int) -> None:
    kafka = booted(release, quirks)
    listed = answer(kafka, ApiVersionsRequest(), 0, ApiVersionsResponse).api_keys
    assert [one.min_version for one in listed if one.api_key == ApiKey.JOIN_GROUP] == [oldest]
    client = kafka.connect()
    sent = JoinGroupRequest(group_id="g", session_timeout_ms=6000, protocol_type="consumer")
    client.send(request_frame(sent, 1, 1, "c"))
    assert client.closed == (oldest == 2)


def test_kafka_19444_changes_nothing_in_a_release_without_groups() -> None:
    assert patched(profile(Release.parse("0.8.0")), "KAFKA-19444") == profile(Release.parse("0.8.0"))


@pytest.mark.parametrize(("release", "quirks", "closes"), [
    ("0.9.0", "", False), ("0.9.0", "-SILENT-APIKEY-0.9", True), ("0.10.2", "", True),
    ("0.10.2", "SILENT-APIKEY-0.9", False),
])  # fmt: skip
@pytest.mark.parametrize(("key", "version"), [(60, 0), (11, 9)])
def test_silent_apikey_0_9_unknown_requests_are_swallowed(
    release: str, quirks: str, closes: bool, key: int, version: int
) -> None:
    client = booted(release, quirks).connect()
    data = client.send(bytes((0, 0, 0, 10, 0, key, 0, version, 0, 0, 0, 1, 255 if closes else 0, 255 if closes else 0)))
    assert (data, client.closed) == (b"", closes)


# ---- followers and transactions


@pytest.mark.parametrize(("release", "quirks", "copied"), [
    ("1.1.0", "", 0), ("1.1.0", "-KAFKA-6975", 1), ("1.1.1", "", 1), ("1.1.1", "KAFKA-6975", 0), ("0.11.0", "", 0),
])  # fmt: skip
def test_kafka_6975_a_follower_does_not_take_a_batch_in_which_the_log_begins(
    release: str, quirks: str, copied: int
) -> None:
    config = {"default.replication.factor": 2}
    kafka = FakeKafka(release, brokers=2, config=config, quirks=quirks, clock=ManualClock(NOW)).boot()
    kafka.create_topic("t")
    kafka.elect_leader("t", 0, 0)
    kafka.stop_broker(1)
    assert one(kafka, produced(), 3).error_code == 0
    delete_records(kafka.connect().core.cluster.brokers[0], "t", 0, 1)
    kafka.start_broker(1)
    assert len(kafka.records("t", broker=1)) == copied


@pytest.mark.parametrize(("release", "quirks", "error"), [
    ("3.5.2", "", 0), ("3.5.2", "-KAFKA-12671", 48), ("3.6.2", "", 48), ("3.6.2", "KAFKA-12671", 0),
])  # fmt: skip
def test_kafka_12671_a_late_batch_opens_a_transaction(release: str, quirks: str, error: int) -> None:
    assert bug("KAFKA-12671").affected is not None
    done = act(bug("KAFKA-12671"), Side(release, quirks), 1 if error else 0)
    assert done.as_described


@pytest.mark.parametrize(("release", "quirks", "forgotten"), [
    ("2.3.1", "", True), ("2.3.1", "-KAFKA-9144", False), ("1.0.0", "", True), ("0.11.0.3", "", False),
    ("2.4.1", "", False),
])  # fmt: skip
def test_kafka_9144_a_marker_does_not_keep_its_producer_alive(release: str, quirks: str, forgotten: bool) -> None:
    assert act(bug("KAFKA-9144"), Side(release, quirks, LONG_TRANSACTIONS), 0 if forgotten else 1).as_described


# ---- clean


@pytest.mark.parametrize(("quirks", "outside"), [("", 1), ("-KAFKA-4298", 0)])
def test_kafka_4298_the_cleaner_makes_wrappers_that_nobody_can_read(quirks: str, outside: Magic) -> None:
    kafka = booted("0.10.0.1", quirks, cleanup_policy="compact")
    plain, *first = [Record(n, -1, -1, key, b"1") for n, key in enumerate((b"first", b"a", b"b"))]
    store(kafka, v0.build([plain]), v0.build(first, codec=GZIP), v0.build([Record(3, -1, -1, b"a", b"2")], codec=GZIP))
    kafka.compact("t", roll=True)
    unit = stored(kafka)[1]
    assert isinstance(unit, Message)
    assert (unit.magic, unit.magics_inside) == (outside, {0})


# ---- fetch


@pytest.mark.parametrize(("release", "quirks", "error"), [
    ("1.0.1", "", UNKNOWN), ("1.0.1", "-KAFKA-6739", 0), ("2.3", "", 0), ("2.3", "KAFKA-6739", UNKNOWN),
])  # fmt: skip
def test_kafka_6739_a_header_fails_the_fetch(release: str, quirks: str, error: int) -> None:
    kafka = booted(release, quirks)
    store(kafka, v2.build([Record(0, NOW, 0, None, b"v", (("h", b"x"),))]))
    found = fetched(kafka, 3)
    assert found == error if error else magics(found) == [1]


@pytest.mark.parametrize(("quirks", "sent"), [("", [2]), ("-FORMAT-LOWERED", [1, 1]), ("repaired", [1, 1])])
def test_format_lowered_old_consumers_get_newer_units(quirks: str, sent: list[Magic]) -> None:
    kafka = booted("2.3", quirks)
    store(kafka, batch(0))
    kafka.configure_topic("t", {"message.format.version": "0.10.2"})
    assert magics(fetched(kafka, 3)) == sent
    assert magics(fetched(kafka, 4)) == [2]


@pytest.mark.parametrize(("release", "name", "left"), [
    ("0.11.0", "EMPTY-CONVERTED", b""),
    ("1.1", "EMPTY-CONVERTED", marker(0)),
    ("2.3", "KIP-283-OVERFLOW", b"\xff" * 8 + bytes([0, 0, 0, 61])),
    ("3.9", "KIP-283-OVERFLOW", b"\xff" * 8 + bytes([0, 0, 0, 61])),
])  # fmt: skip
def test_markers_hold_old_consumers_up(release: str, name: str, left: bytes) -> None:
    """EMPTY-CONVERTED up to 1.1, KIP-283-OVERFLOW from 2.0 on."""
    for quirks in ("", f"-{name}"):
        kafka = booted(release, quirks)
        store(kafka, marker(0), marker(1), batch(2))
        found = fetched(kafka, 3, size=len(marker(0)))
        if quirks:
            assert magics(found) == [1, 1]
        else:
            assert found == left


def test_repaired_a_log_of_nothing_but_markers_gives_nothing() -> None:
    kafka = booted("2.3", "repaired")
    store(kafka, marker(0))
    assert fetched(kafka, 3) == b""


def test_kip_283_overflow_a_conversion_that_falls_short_is_filled() -> None:
    sizes = {}
    for quirks in ("", "-KIP-283-OVERFLOW"):
        kafka = booted("2.3", quirks)
        store(kafka, batch(0), marker(2))
        found = fetched(kafka, 3)
        assert isinstance(found, bytes)
        sizes[quirks] = len(found)
        assert (b"\xff" * 8 in found) == (not quirks)
    assert sizes["-KIP-283-OVERFLOW"] < sizes[""] == len(batch(0)) + len(marker(2))


def test_empty_converted_can_be_switched_on_in_a_release_that_never_had_it() -> None:
    kafka = booted("2.3", "EMPTY-CONVERTED")
    store(kafka, marker(0))
    assert fetched(kafka, 3) == b""


@pytest.mark.parametrize(("quirks", "sent"), [("", [1, 1, 2]), ("-MIXED-MAGIC", [1, 1])])
@pytest.mark.parametrize("version", [4, 11])
def test_mixed_magic_formats_in_one_answer(quirks: str, sent: list[Magic], version: int) -> None:
    kafka = booted("2.3", quirks)
    store(kafka, messages(1, 0), batch(2))
    assert magics(fetched(kafka, version)) == sent
    assert magics(fetched(kafka, version, offset=2)) == [2]


def test_switching_a_quirk_off_is_an_invention_if_every_release_has_it() -> None:
    found = {row.name: row.off_as_in() for row in QUIRKS}
    invented = {"KAFKA-5365", "UNSUPPORTED-FORMAT-43", "FORMAT-LOWERED", "EMPTY-CONVERTED", "KIP-283-OVERFLOW",
                "MIXED-MAGIC"}  # fmt: skip
    assert {name for name, release in found.items() if release is None} == invented
    assert found["KAFKA-6739"] == Release.parse("1.0.2")
    assert found["KAFKA-7549"] == Release.parse("2.8.0")
