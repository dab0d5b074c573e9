"""What brokers from 0.11 on store: stamped in place, converted, recompressed; offsets, times, the time index."""

import contextlib

import pytest
from fakekafka.errors import ErrorCode
from fakekafka.records import message, v0, v1, v2
from fakekafka.records.append.prepared import AppendTarget, How, SetRefused
from fakekafka.records.compression import GZIP, LZ4, NONE, SNAPPY, ZSTD
from fakekafka.records.record import Record
from fakekafka.records.v2 import RecordBatch
from hypothesis import given
from hypothesis import strategies as st

from tests.emulator.records.appending import (
    BATCH_BROKERS,
    MESSAGE_BROKERS,
    NOW,
    START,
    prepare,
    prepared,
    refused,
    rows,
    sealed,
    stored_records,
)
from tests.emulator.records.strategies import build, damaged, records

PLAIN = AppendTarget(2, leader_epoch=7)
ROWS = rows(1000, 3000, 2000)
NEWEST = BATCH_BROKERS[-1]


# ---- in place


@pytest.mark.parametrize("release", BATCH_BROKERS)
@pytest.mark.parametrize("codec", [NONE, GZIP, SNAPPY, LZ4])
def test_a_batch_as_wanted_stays_in_its_buffer_with_its_checksum(release: str, codec: int) -> None:
    sent = bytearray(v2.build(ROWS, codec=codec))
    before = bytes(sent)
    made = prepare(sent, PLAIN, release)
    assert made is not None
    assert made.data is sent
    (unit,) = made.batches
    assert isinstance(unit, RecordBatch)
    assert unit.crc_ok()
    assert (unit.base_offset, unit.leader_epoch, made.first_offset, made.last_offset) == (100, 7, 100, 102)
    assert sent[16:] == before[16:]
    assert sent[8:12] == before[8:12]


@pytest.mark.parametrize("release", BATCH_BROKERS)
def test_the_append_time_is_written_into_the_header_only(release: str) -> None:
    sent = v2.build(ROWS)
    made = prepared(sent, PLAIN._replace(append_time=True), release)
    (unit,) = made.batches
    assert unit.crc_ok()
    assert unit.timestamp_type == 1
    assert unit.max_timestamp == NOW
    assert bytes(made.data)[43:] == sent[43:]
    assert [r.timestamp for r in stored_records(made)] == [NOW] * 3


def test_a_wrong_largest_timestamp_is_corrected_and_unknown_attribute_bits_go_with_it() -> None:
    sent = sealed(v2.build(ROWS), 35, (9999).to_bytes(8, "big"))
    made = prepared(sealed(sent, 21, b"\xff\x80"), PLAIN, NEWEST)
    (unit,) = made.batches
    assert unit.crc_ok()
    assert unit.max_timestamp == 3000
    assert bytes(unit.data)[21:23] == b"\0\0"


def test_unknown_attribute_bits_stay_where_nothing_is_to_be_written() -> None:
    made = prepared(sealed(v2.build(ROWS), 21, b"\xff\x80"), PLAIN, NEWEST)
    assert bytes(made.data)[21:23] == b"\xff\x80"


@pytest.mark.parametrize("release", BATCH_BROKERS)
@pytest.mark.parametrize("magic", [0, 1])
def test_plain_messages_in_the_topics_format_get_an_offset_each(release: str, magic: int) -> None:
    sent = build(magic, ROWS)
    made = prepared(sent, AppendTarget(magic), release)
    assert [unit.last_offset for unit in made.batches] == [100, 101, 102]
    assert [unit.crc_ok() for unit in made.batches] == [True] * 3
    assert len(made.data) == len(sent)


@pytest.mark.parametrize("release", BATCH_BROKERS)
def test_a_wrapper_in_order_gets_only_the_offset_of_its_last_message(release: str) -> None:
    sent = v1.build(ROWS, codec=GZIP)
    made = prepared(sent, AppendTarget(1), release)
    assert bytes(made.data) == (102).to_bytes(8, "big") + sent[8:]
    assert [r.offset for r in stored_records(made)] == [100, 101, 102]


def test_a_cut_last_unit_is_left_out() -> None:
    whole = v2.build(ROWS)
    made = prepared(whole + whole[:50], PLAIN, "2.3.1")
    assert bytes(made.data)[16:] == whole[16:]
    assert made.last_offset == 102


@pytest.mark.parametrize("release", BATCH_BROKERS + MESSAGE_BROKERS)
@pytest.mark.parametrize("data", [b"", bytes(5), v0.build(ROWS)[:20]])
def test_a_set_without_a_whole_unit_stores_nothing(release: str, data: bytes) -> None:
    assert prepare(bytearray(data), AppendTarget(0), release) is None


def test_a_set_that_the_broker_itself_writes_may_be_a_control_batch() -> None:
    sent = v2.build(ROWS[:1], control=True, transactional=True, producer_id=1, producer_epoch=0)
    assert refused(sent, PLAIN, NEWEST).error == ErrorCode.INVALID_RECORD
    assert prepared(sent, PLAIN, NEWEST, from_client=False).batches[0].is_control


def test_a_set_that_the_broker_itself_writes_may_have_an_offset() -> None:
    sent = v2.build([r._replace(offset=r.offset + 5) for r in ROWS])
    assert refused(sent, PLAIN, NEWEST).error == ErrorCode.INVALID_RECORD
    assert prepared(sent, PLAIN, NEWEST, from_client=False).first_offset == START


# ---- converted


@pytest.mark.parametrize("release", BATCH_BROKERS)
@pytest.mark.parametrize(("sent", "wanted"), [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)])
@pytest.mark.parametrize("codec", [NONE, GZIP])
def test_records_of_another_format_are_rewritten(release: str, sent: int, wanted: int, codec: int) -> None:
    made = prepared(build(sent, ROWS, codec), AppendTarget(wanted, leader_epoch=7), release)
    assert {unit.magic for unit in made.batches} == {wanted}
    assert {unit.codec for unit in made.batches} == {codec}
    got = [(r.offset, r.key, r.value, r.timestamp) for r in stored_records(made)]
    times = [r.timestamp for r in ROWS] if sent and wanted else [-1] * 3
    assert got == [(100 + n, b"k", b"v", time) for n, time in enumerate(times)]


def test_headers_do_not_fit_into_the_old_formats() -> None:
    sent = v2.build([ROWS[0]._replace(headers=(("h", b"x"),))])
    assert refused(sent, AppendTarget(1), "2.3.1").error == ErrorCode.UNKNOWN_SERVER_ERROR


@pytest.mark.parametrize(
    ("transactional", "error"),
    [(False, ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT), (True, ErrorCode.UNKNOWN_SERVER_ERROR)],
)
def test_a_producers_batch_does_not_fit_into_the_old_formats(transactional: bool, error: ErrorCode) -> None:
    who = {"producer_id": 1, "producer_epoch": 0, "base_sequence": 0}
    sent = v2.build(ROWS, transactional=transactional, **who)  # type: ignore[arg-type]
    assert refused(sent, AppendTarget(1), "2.3.1").error == error
    packed = v2.build(ROWS, transactional=transactional, codec=GZIP, **who)  # type: ignore[arg-type]
    assert refused(packed, AppendTarget(1), "2.3.1").error == ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT


def test_a_batch_that_is_rebuilt_keeps_its_producer() -> None:
    sent = v2.build(ROWS, producer_id=5, producer_epoch=2, base_sequence=9, transactional=True)
    (unit,) = prepared(sent, PLAIN._replace(codec=GZIP), NEWEST).batches
    assert (unit.producer_id, unit.producer_epoch, unit.base_sequence, unit.is_transactional) == (5, 2, 9, True)
    assert unit.leader_epoch == 7


# ---- compression.type


@pytest.mark.parametrize("release", BATCH_BROKERS)
@pytest.mark.parametrize("sent", [NONE, GZIP, SNAPPY])
@pytest.mark.parametrize("wanted", [NONE, GZIP, LZ4])
def test_records_get_the_topics_codec(release: str, sent: int, wanted: int) -> None:
    made = prepared(v2.build(ROWS, codec=sent), PLAIN._replace(codec=wanted), release)
    (unit,) = made.batches
    assert unit.codec == wanted
    assert unit.crc_ok()
    assert [(r.offset, r.value) for r in stored_records(made)] == [(100, b"v"), (101, b"v"), (102, b"v")]


def test_the_topics_level_counts_when_the_broker_compresses() -> None:
    sent = v2.build([Record(n, 1000, 0, None, b"value %d" % (n * n)) for n in range(500)])
    sizes = [len(prepared(sent, PLAIN._replace(codec=GZIP, level=level), "3.9.1").data) for level in (1, 9)]
    assert sizes[0] > sizes[1]


def test_the_topics_level_does_not_count_for_a_set_that_has_the_codec() -> None:
    sent = v2.build(ROWS, codec=GZIP, level=1)
    assert bytes(prepared(sent, PLAIN._replace(codec=GZIP, level=9), "3.9.1").data)[16:] == sent[16:]


def test_zstd_does_not_fit_into_the_old_formats() -> None:
    sent = v2.build(ROWS, codec=ZSTD)
    assert refused(sent, AppendTarget(1), "2.3.1").error == ErrorCode.UNKNOWN_SERVER_ERROR


@pytest.mark.parametrize(("release", "stored"), [("2.1.1", True), ("2.2.2", False), ("3.9.1", False)])
def test_zstd_waits_for_the_inter_broker_protocol(release: str, stored: bool) -> None:
    sent, target = v2.build(ROWS, codec=ZSTD), PLAIN._replace(zstd_allowed=False)
    if stored:
        assert prepared(sent, target, release).batches[0].codec == ZSTD
    else:
        assert refused(sent, target, release).error == ErrorCode.UNSUPPORTED_COMPRESSION_TYPE


# ---- several units


def test_old_releases_give_every_plain_batch_of_a_set_its_offset() -> None:
    made = prepared(v2.build(ROWS) + v2.build(ROWS[:2]), PLAIN, "2.3.1")
    assert [(unit.base_offset, unit.last_offset) for unit in made.batches] == [(100, 102), (103, 104)]


def test_old_releases_make_one_batch_of_several_compressed_ones() -> None:
    made = prepared(v2.build(ROWS, codec=GZIP) + v2.build(ROWS[:2]), PLAIN, "2.3.1")
    (unit,) = made.batches
    assert (unit.codec, unit.count, made.last_offset) == (GZIP, 5, 104)


@pytest.mark.parametrize("codec", [NONE, GZIP])
def test_from_2_4_on_a_set_is_one_batch(codec: int) -> None:
    sent = v2.build(ROWS, codec=codec) * 2
    assert refused(sent, PLAIN, "2.4.1").error == ErrorCode.INVALID_RECORD


def test_from_2_4_on_a_set_may_still_be_several_plain_messages_of_one_format() -> None:
    assert prepared(v1.build(ROWS), AppendTarget(1), "2.4.1").last_offset == 102
    mixed = v0.build(ROWS) + v1.build(ROWS)
    assert refused(mixed, AppendTarget(1), "2.4.1").error == ErrorCode.INVALID_RECORD
    assert prepared(mixed, AppendTarget(1), "2.3.1").last_offset == 105


# ---- offsets inside


def with_gap(codec: int) -> bytes:
    return v2.build([r._replace(offset=r.offset * 2) for r in ROWS], codec=codec)


def test_a_gap_between_compressed_records_is_closed_refused_or_fatal() -> None:
    sent = sealed(with_gap(GZIP), 23, (2).to_bytes(4, "big"))
    assert [r.offset for r in stored_records(prepared(sent, PLAIN, "2.3.1"))] == [100, 101, 102]
    assert refused(sent, PLAIN, "2.4.1").error == ErrorCode.INVALID_RECORD
    assert [r.offset for r in stored_records(prepared(sent, PLAIN, "2.5.1"))] == [100, 101, 102]
    assert refused(sent, PLAIN, "2.6.3").error == ErrorCode.UNKNOWN_SERVER_ERROR


def test_a_gap_between_plain_records_is_allowed() -> None:
    sent = sealed(with_gap(NONE), 23, (2).to_bytes(4, "big"))
    assert [r.offset for r in stored_records(prepared(sent, PLAIN, NEWEST))] == [100, 102, 104]


def test_a_wrapper_with_gaps_is_rebuilt() -> None:
    sent = v1.build([r._replace(offset=r.offset * 2) for r in ROWS], codec=GZIP)
    made = prepared(sent, AppendTarget(1), "2.3.1")
    assert [r.offset for r in stored_records(made)] == [100, 101, 102]
    assert refused(sent, AppendTarget(1), "2.4.1").error == ErrorCode.INVALID_RECORD


# ---- the time index


@pytest.mark.parametrize(("release", "at"), [("2.3.1", 101), ("3.6.2", 101), ("3.7.0", 102), ("3.9.1", 102)])
def test_the_largest_time_of_a_plain_batch_is_that_of_its_record_or_its_last(release: str, at: int) -> None:
    made = prepared(v2.build(ROWS), PLAIN, release)
    assert (made.max_timestamp, made.offset_of_max_timestamp) == (3000, at)


@pytest.mark.parametrize("release", BATCH_BROKERS)
def test_the_largest_time_of_a_compressed_set_is_that_of_its_last_record(release: str) -> None:
    for sent, target in ((v2.build(ROWS, codec=GZIP), PLAIN), (v1.build(ROWS, codec=GZIP), AppendTarget(1))):
        made = prepared(sent, target, release)
        assert (made.max_timestamp, made.offset_of_max_timestamp) == (3000, 102)


@pytest.mark.parametrize("release", BATCH_BROKERS)
def test_the_largest_time_of_plain_messages_is_that_of_its_message(release: str) -> None:
    for sent in (v1.build(ROWS), v2.build(ROWS)):
        made = prepared(sent, AppendTarget(1), release)
        assert (made.max_timestamp, made.offset_of_max_timestamp) == (3000, 101)


@pytest.mark.parametrize(("magic", "at"), [(1, 100), (2, 102)])
def test_the_append_time_is_that_of_the_first_message_or_the_batchs_last_record(magic: int, at: int) -> None:
    for sent in (v1.build(ROWS), v2.build(ROWS)):
        made = prepared(sent, AppendTarget(magic, append_time=True), "2.3.1")
        assert (made.max_timestamp, made.offset_of_max_timestamp) == (NOW, at)


@pytest.mark.parametrize(("release", "codec", "entry"), [
    ("3.7.2", NONE, (NOW, 100)), ("3.7.2", GZIP, (NOW, 102)), ("3.8.1", NONE, (-1, -1)), ("3.8.1", GZIP, (NOW, 102)),
    ("3.9.1", NONE, (-1, -1)), ("3.9.1", GZIP, (-1, -1)),
])  # fmt: skip
def test_format_0_has_an_append_time_only_in_the_index_of_some_releases(
    release: str, codec: int, entry: tuple[int, int]
) -> None:
    made = prepared(v0.build(ROWS, codec=codec), AppendTarget(0, append_time=True), release)
    assert (made.max_timestamp, made.offset_of_max_timestamp) == entry


@pytest.mark.parametrize("release", BATCH_BROKERS)
@pytest.mark.parametrize("magic", [0, 1, 2])
def test_records_without_time_leave_the_index_alone(release: str, magic: int) -> None:
    made = prepared(build(magic, rows(-1, -1)), AppendTarget(magic), release)
    assert (made.max_timestamp, made.offset_of_max_timestamp) == (-1, -1)


# ---- size


def test_a_set_may_become_too_large_by_being_rebuilt() -> None:
    sent = v2.build([Record(n, 1000, 0, None, bytes(1000)) for n in range(10)], codec=GZIP)
    assert prepared(sent, PLAIN._replace(max_bytes=500), NEWEST).last_offset == 109
    fatal = refused(sent, PLAIN._replace(max_bytes=500, codec=NONE), NEWEST)
    assert fatal.error == ErrorCode.MESSAGE_TOO_LARGE


# ---- whatever comes


@given(st.data(), st.sampled_from(BATCH_BROKERS), st.booleans())
def test_every_record_is_stored_once_and_in_order(data: st.DataObject, release: str, append_time: bool) -> None:
    sent_magic, codec = data.draw(st.integers(0, 2)), data.draw(st.integers(0, 3))
    magic = data.draw(st.integers(0, sent_magic))
    sent = data.draw(records(sent_magic, start=0, gaps=False))
    if magic < 2:
        sent = [r._replace(headers=()) for r in sent]
    target = AppendTarget(magic, codec=data.draw(st.sampled_from([None, 0, 1, 2, 3])), append_time=append_time)
    made = prepared(build(sent_magic, sent, codec), target, release)
    got = stored_records(made)
    assert [r.offset for r in got] == list(range(START, START + len(sent)))
    assert [(r.key, r.value, r.headers) for r in got] == [(r.key, r.value, r.headers) for r in sent]
    if magic:
        assert [r.timestamp for r in got] == [NOW if append_time else r.timestamp for r in sent]
    assert all(unit.crc_ok() for unit in made.batches)
    assert b"".join(unit.data for unit in made.batches) == bytes(made.data)


@given(damaged(), st.sampled_from(BATCH_BROKERS + MESSAGE_BROKERS), st.integers(0, 2), st.booleans())
def test_broken_bytes_are_either_refused_or_stored(data: bytes, release: str, magic: int, compacted: bool) -> None:
    newest = 0 if release.startswith(("0.8", "0.9")) else 1 if release.startswith("0.10") else 2
    target = AppendTarget(min(magic, newest), compacted=compacted, before_max_ms=1 << 40, after_max_ms=1 << 40)
    with contextlib.suppress(SetRefused):
        made = prepare(bytearray(data), target, release)
        assert made is None or sum(unit.size for unit in made.batches) == len(made.data)


def test_a_message_is_stamped_as_the_message_module_stamps_it() -> None:
    unit = bytearray(v1.build(ROWS[:1]))
    message.set_offset(unit, START)
    assert bytes(prepared(v1.build(ROWS[:1]), AppendTarget(1), "2.3.1").data) == bytes(unit)


# ---- what was done to the bytes


@pytest.mark.parametrize("release", BATCH_BROKERS)
@pytest.mark.parametrize(
    ("data", "target", "how"),
    [
        (v2.build(ROWS), AppendTarget(2), How.KEPT),
        (v2.build(ROWS, codec=GZIP), AppendTarget(2), How.KEPT),
        (v2.build(ROWS), AppendTarget(2, append_time=True), How.STAMPED),
        (v2.build(ROWS, codec=GZIP), AppendTarget(2, codec=NONE), How.REBUILT),
        (v1.build(ROWS), AppendTarget(2), How.CONVERTED),
        (v2.build(ROWS), AppendTarget(1), How.CONVERTED),
    ],
)
def test_a_set_says_what_was_done_to_it(release: str, data: bytes, target: AppendTarget, how: How) -> None:
    ticks = iter(range(5, 100, 5))
    made = prepare(bytearray(data), target, release, cpu_ns=lambda: next(ticks))
    assert made is not None
    assert made.how is how
    assert made.cpu_ns == (0 if made.stayed else 5)
