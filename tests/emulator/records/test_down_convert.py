"""Down-conversion: what comes out, when it is made, and how much memory it takes.

Long, since tests mirror modules and three generations of brokers converted in three ways.
"""

import gc
import tracemalloc
from collections.abc import Callable, Iterable
from itertools import accumulate, pairwise
from random import Random

import pytest
from fakekafka.ids import Buffer
from fakekafka.pieces import Chunks, Piece, buffers, finished
from fakekafka.records import control, v0, v1, v2
from fakekafka.records.down_convert import (
    AT_ONCE,
    CHUNK_BYTES,
    CannotConvertCodec,
    CannotConvertHeaders,
    ConversionBreaksOff,
    Rules,
    Tally,
    as_one_set,
    convert,
    is_newer,
    lazily,
    starts_newer,
    unit_by_unit,
    whole_units,
)
from fakekafka.records.hot import message
from fakekafka.records.malformed import InvalidRecord
from fakekafka.records.message import Message
from fakekafka.records.record import Record
from fakekafka.records.scan import batches
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.emulator.records import strategies

GZIP, SNAPPY, LZ4, ZSTD = 1, 2, 3, 4


def rows(first: int, count: int = 2, **more: object) -> list[Record]:
    return [
        Record(first + n, 1000 + first + n, 0, b"k", b"v%d" % (first + n))._replace(**more)  # type: ignore[arg-type]
        for n in range(count)
    ]


def marker(offset: int) -> bytes:
    return control.end_transaction(
        commit=True, producer_id=1, producer_epoch=0, coordinator_epoch=0, timestamp=0, offset=offset
    )


def emptied(offset: int) -> bytes:
    """What compaction leaves of a producer's last batch."""
    return v2.empty(v2.RecordBatch(v2.build(rows(offset), producer_id=1, producer_epoch=0, base_sequence=0)))


def only(data: Buffer) -> list[tuple[int, bytes | None]]:
    """Offsets and values of a set."""
    return [(r.offset, r.value) for batch in batches(bytes(data)) for r in batch.records()]


def joined(pieces: Iterable[Piece]) -> bytes:
    return b"".join(buffers(pieces))


# ---- examining a slice


@given(st.lists(strategies.units(), min_size=1, max_size=4), st.lists(st.integers(0, 3000), max_size=5))
def test_units_are_found_however_a_slice_is_cut_into_pieces(sets: list[bytes], cuts: list[int]) -> None:
    data = b"".join(sets)
    places = sorted({0, *(min(cut, len(data)) for cut in cuts), len(data)})
    pieces = [data[a:b] for a, b in pairwise(places)]
    assert [bytes(batch.data) for batch in whole_units(pieces)] == [bytes(batch.data) for batch in batches(data)]


def test_a_unit_that_is_cut_is_not_a_whole_unit() -> None:
    data = v2.build(rows(0)) + v2.build(rows(2))[:-1]
    assert [batch.last_offset for batch in whole_units([data])] == [1]


def test_newer_units_are_seen_after_older_ones_but_not_when_cut() -> None:
    old, new = v0.build(rows(0)), v1.build(rows(2))
    assert is_newer([old + new], 0)
    assert not is_newer([old + new], 1)
    assert not is_newer([old + new[:20]], 0)


def test_early_brokers_see_the_format_of_a_unit_that_starts_within_the_slice() -> None:
    old, new = v0.build(rows(0)), v1.build(rows(2))
    assert starts_newer([old, new], len(old) + 1, 0)
    assert not starts_newer([old, new], len(old), 0)
    assert not starts_newer([old, new[:16]], len(old) + 16, 0)


# ---- one unit


@given(strategies.records(magic=2), st.sampled_from([0, 1, 2, 3]), st.sampled_from([0, 1]))
def test_a_converted_batch_holds_the_same_records_without_their_headers(
    records: list[Record], codec: int, target: int
) -> None:
    batch = v2.RecordBatch(v2.build(records, codec=codec))
    converted = list(batches(convert(batch, Rules(target, 0))))
    assert {unit.magic for unit in converted} == {target}
    assert {unit.codec for unit in converted} == {codec}
    assert all(unit.crc_ok() for unit in converted)
    kept = [r for unit in converted for r in unit.records()]
    assert [(r.offset, r.key, r.value) for r in kept] == [(r.offset, r.key, r.value) for r in records]
    assert [r.timestamp for r in kept] == [r.timestamp if target else -1 for r in records]


@given(strategies.units(), st.integers(0, 1))
def test_a_unit_that_the_target_can_hold_keeps_its_bytes(data: bytes, target: int) -> None:
    for batch in batches(data):
        if batch.magic <= target:
            assert bytes(convert(batch, Rules(target, 0))) == bytes(batch.data)


@given(strategies.damaged(), st.integers(0, 1))
def test_only_malformed_bytes_escape_from_a_conversion(data: bytes, target: int) -> None:
    def run() -> None:
        for batch in batches(data):
            convert(batch, Rules(target, 0))

    strategies.check_raises_only_malformed(run)


def test_the_append_time_of_a_batch_is_that_of_every_message() -> None:
    batch = v2.RecordBatch(v2.build(rows(0), append_time=9000))
    units = list(batches(convert(batch, Rules(1, 0))))
    assert [(unit.timestamp_type, unit.max_timestamp) for unit in units] == [(1, 9000), (1, 9000)]


def test_records_before_the_fetch_offset_go_from_plain_batches_only() -> None:
    plain, packed = v2.RecordBatch(v2.build(rows(4, 3))), v2.RecordBatch(v2.build(rows(4, 3), codec=GZIP))
    assert [o for o, _ in only(convert(plain, Rules(1, 6)))] == [6]
    assert [o for o, _ in only(convert(packed, Rules(1, 6)))] == [4, 5, 6]


def test_the_wrapper_of_a_compacted_batch_has_the_offset_of_its_last_record() -> None:
    batch = v2.RecordBatch(v2.build([rows(4)[0], rows(6)[0]], base_offset=3, last_offset=9, codec=GZIP))
    (wrapper,) = batches(convert(batch, Rules(1, 0)))
    assert wrapper.last_offset == 6
    assert [r.offset for r in wrapper.records()] == [4, 6]


def test_markers_and_empty_batches_become_nothing() -> None:
    for data in (marker(0), emptied(0)):
        assert convert(v2.RecordBatch(data), Rules(1, 0)) == b""


def test_headers_are_refused_where_the_release_does_not_drop_them() -> None:
    batch = v2.RecordBatch(v2.build(rows(0, headers=(("h", b"x"),))))
    assert only(convert(batch, Rules(1, 0))) == [(0, b"v0"), (1, b"v1")]
    with pytest.raises(CannotConvertHeaders):
        convert(batch, Rules(1, 0, drop_headers=False))


def test_a_negative_timestamp_cannot_be_converted() -> None:
    with pytest.raises(InvalidRecord):
        convert(v2.RecordBatch(v2.build(rows(0, timestamp=-2))), Rules(1, 0))


# ---- 0.10


def test_a_slice_becomes_one_wrapper_in_the_codec_of_its_first_unit() -> None:
    pieces = [v1.build(rows(0), codec=GZIP), v1.build(rows(2), codec=3), v1.build(rows(4))]
    (wrapper,) = batches(joined(finished(as_one_set(pieces))))
    assert (wrapper.magic, wrapper.codec, wrapper.last_offset) == (0, GZIP, 5)
    assert [r.offset for r in wrapper.records()] == list(range(6))


def test_a_slice_whose_first_unit_is_plain_becomes_plain() -> None:
    pieces = [v1.build(rows(0)), v1.build(rows(2), codec=GZIP)]
    assert joined(finished(as_one_set(pieces))) == v0.build(rows(0, 4))


def test_a_slice_without_a_whole_unit_stays_as_it_is() -> None:
    cut: list[Buffer] = [v1.build(rows(0), codec=GZIP)[:-1]]
    assert finished(as_one_set(cut)) is cut
    assert finished(unit_by_unit(cut, Rules(0, 0), raw_if_none_converted=False)) is cut


def test_format_2_is_invalid_to_brokers_before_0_11() -> None:
    with pytest.raises(InvalidRecord):
        finished(as_one_set([v2.build(rows(0))]))


# ---- 0.11 to 1.1


def test_units_are_converted_one_by_one_and_a_cut_one_is_left_out() -> None:
    pieces = [v0.build(rows(0)), v2.build(rows(2), codec=GZIP), v2.build(rows(4)), v2.build(rows(6))[:70]]
    out = joined(finished(unit_by_unit(pieces, Rules(1, 0), raw_if_none_converted=True)))
    assert [(unit.magic, unit.codec) for unit in batches(out)] == [(0, 0), (0, 0), (1, GZIP), (1, 0), (1, 0)]
    assert [o for o, _ in only(out)] == list(range(6))


def test_markers_are_left_out_or_sent_as_they_are() -> None:
    pieces: list[Buffer] = [marker(0), marker(1)]
    assert joined(finished(unit_by_unit(pieces, Rules(1, 0), raw_if_none_converted=False))) == b""
    assert finished(unit_by_unit(pieces, Rules(1, 0), raw_if_none_converted=True)) is pieces


def test_offsets_within_a_unit_must_ascend() -> None:
    """Brokers store a plain batch with any offsets. Asked of 3.6.2: "Illegal offset 7 following previous offset 7"."""
    first, second, third = rows(0, 3)
    twice = v2.build([first, second, third._replace(offset=1)])
    with pytest.raises(InvalidRecord):
        convert(v2.RecordBatch(twice), Rules(1, 0))
    # none of the records is at or after the fetch offset
    assert only(convert(v2.RecordBatch(twice), Rules(1, 2))) == []
    with pytest.raises(ConversionBreaksOff):
        lazy(v2.build(rows(0)), twice)


def test_an_older_unit_fails_a_conversion_if_it_does_not_fit_after_a_compressed_one() -> None:
    """Asked of 0.11.0.3, 1.0.2, 1.1.1: "newLimit > capacity". The small write that ends an LZ4 stream makes room."""
    values = [Record(n, 0, 0, None, Random(n).randbytes(140)) for n in range(8)]
    behind = v1.build(rows(8, 3))
    for codec, fits in ((SNAPPY, False), (LZ4, True), (0, True)):
        pieces = [v2.build(values, codec=codec), behind]
        assert only(joined(finished(unit_by_unit(pieces, Rules(1, 0), raw_if_none_converted=False))))[8:] == only(
            behind
        )
        rules = Rules(1, 0, buffer="estimated")
        if fits:
            assert only(joined(finished(unit_by_unit(pieces, rules, raw_if_none_converted=False))))[8:] == only(behind)
        else:
            with pytest.raises(InvalidRecord, match="do not fit"):
                finished(unit_by_unit(pieces, rules, raw_if_none_converted=False))
        assert finished(unit_by_unit(pieces[:1], rules, raw_if_none_converted=False))


def test_offsets_that_go_back_fail_a_set_where_they_must_ascend() -> None:
    """Asked of 0.10.1.1, which does not mind, and of 0.10.2.2."""
    units = [v1.build(rows(4, 2)), v1.build(rows(2, 1))]
    assert only(joined(finished(as_one_set(units)))) == [(4, b"v4"), (5, b"v5"), (2, b"v2")]
    with pytest.raises(InvalidRecord):
        finished(as_one_set(units, ascending=True))


@pytest.mark.parametrize("codec", [0, GZIP])
def test_pasted_messages_keep_their_attributes(codec: int) -> None:
    """Recorded from 0.10.0.1, odd_sets: all but the bit for append time."""
    odd = message(1, 7, 1000, 0x78, b"k", b"v7")
    units = [v1.build(rows(4, 2), codec=codec), odd]
    out = joined(finished(as_one_set(units, pasted=True)))
    found = [m for batch in batches(out) for m in (Message(batch.data).inside() if codec else [batch])]
    assert [m.data[17] for m in found] == [0, 0, 0x70]
    assert only(out) == [(4, b"v4"), (5, b"v5"), (7, b"v7")]
    assert joined(finished(as_one_set(units[:1], pasted=True))) == joined(finished(as_one_set(units[:1])))


# ---- 2.0 and later


def lazy(*pieces: bytes, offset: int = 0, target: int = 1) -> bytes:
    return joined(lazily(pieces, Rules(target, offset), nothing_if_no_unit=True))


def test_a_lazy_conversion_is_as_long_as_the_slice() -> None:
    data = v2.build(rows(0, 3)) + v2.build(rows(3, 3))
    out = lazy(data)
    converted = v1.build(rows(0, 6))
    assert len(out) == len(data) < len(converted)
    assert out == converted[: len(data)]


def test_a_lazy_conversion_is_longer_than_the_slice_only_for_its_first_unit() -> None:
    data = v2.build(rows(0, 20))
    assert lazy(data) == v1.build(rows(0, 20))
    assert len(lazy(data)) > len(data)


def test_missing_bytes_are_a_filler_that_looks_cut() -> None:
    data = v2.build(rows(0, 1, headers=(("h", b"x" * 200),)))
    out = lazy(data)
    first = v1.build(rows(0, 1))
    left = len(data) - len(first)
    assert out[: len(first)] == first
    assert out[len(first) :] == b"\xff" * 8 + (left + 1).to_bytes(4, "big") + bytes(left - 12)


def test_a_short_filler_is_cut_within_its_head() -> None:
    records = [Record(n, 0, 0, None, b"x") for n in range(3)]
    data = v2.build(records)
    converted = v0.build(records)
    assert len(data) - len(converted) == 4
    assert lazy(data, target=0) == converted + b"\xff" * 4


def test_a_long_filler_comes_in_several_units() -> None:
    data = v2.build(rows(0, 1, headers=(("h", b"x" * (CHUNK_BYTES + 1000)),)))
    out = lazy(data)
    left = len(data) - len(v1.build(rows(0, 1)))
    at = len(out) - left
    sizes = []
    while at < len(out):
        assert out[at : at + 8] == (b"\xff" * 8)[: len(out) - at]
        sizes.append(int.from_bytes(out[at + 8 : at + 12], "big"))
        at += CHUNK_BYTES
    assert sizes == [left + 1, left - CHUNK_BYTES + 1]


def test_a_slice_of_markers_is_twelve_bytes() -> None:
    assert lazy(marker(0), marker(1)) == b"\xff" * 8 + (61).to_bytes(4, "big")


def test_a_slice_without_a_whole_unit_is_nothing_from_3_0_on() -> None:
    cut = v2.build(rows(0))[:-1]
    assert lazy(cut) == b""
    assert joined(lazily([cut], Rules(1, 0), nothing_if_no_unit=False)) == b"\xff" * 8 + (61).to_bytes(4, "big")


def test_a_unit_after_a_marker_is_sent_twice() -> None:
    """Recorded from 2.3.1 and 3.8.1: one source unit is skipped, although the first conversion came from the second."""
    data = v2.build(rows(1, 1))
    once = v1.build(rows(1, 1))
    out = lazy(marker(0), data)
    assert out.startswith(once + once)


def test_zstd_is_refused_at_the_front_and_ends_the_conversion_further_on() -> None:
    with pytest.raises(CannotConvertCodec):
        lazy(v2.build(rows(0), codec=ZSTD))
    plain, packed = v2.build(rows(0)), v2.build(rows(2), codec=ZSTD)
    out = lazy(plain, packed, v2.build(rows(4)))
    assert only(out) == [(0, b"v0"), (1, b"v1")]
    assert out[len(v1.build(rows(0))) :].startswith(b"\xff" * 8)


def test_zstd_spoils_the_whole_chunk_it_is_in() -> None:
    units = [v2.build(rows(0)), v2.build(rows(2)), v2.build(rows(4), codec=ZSTD)]
    assert only(lazy(*units)) == [(0, b"v0"), (1, b"v1")]


def test_zstd_before_much_more_data_breaks_the_connection() -> None:
    big = v2.build([Record(4, 0, 0, None, bytes(CHUNK_BYTES))])
    with pytest.raises(ConversionBreaksOff):
        lazy(v2.build(rows(0)), v2.build(rows(2), codec=ZSTD), big)


def test_broken_records_fail_at_the_front_and_break_off_further_on() -> None:
    broken = bytearray(v2.build(rows(2)))
    broken[57:61] = (9).to_bytes(4, "big")
    with pytest.raises(InvalidRecord):
        lazy(bytes(broken))
    with pytest.raises(ConversionBreaksOff):
        lazy(v2.build(rows(0)), bytes(broken))


@settings(deadline=None)
@given(st.lists(st.tuples(strategies.records(magic=2), st.integers(0, 3)), min_size=1, max_size=6), st.integers(0, 1))
def test_a_lazy_conversion_gives_the_records_from_the_front_in_the_promised_length(
    sets: list[tuple[list[Record], int]], target: int
) -> None:
    starts = accumulate((len(records) for records, _ in sets), initial=0)
    units = [
        v2.build([r._replace(offset=start + n) for n, r in enumerate(records)], codec=codec)
        for start, (records, codec) in zip(starts, sets)
    ]
    out = lazy(*units, target=target)
    first = convert(v2.RecordBatch(units[0]), Rules(target, 0))
    assert len(out) == max(sum(map(len, units)), len(first))
    kept = [r for batch in batches_until_filler(out) for r in batch]
    assert kept == list(range(len(kept)))


def batches_until_filler(data: bytes) -> list[list[int]]:
    found = []
    at = 0
    while at + 17 <= len(data):
        size = 12 + int.from_bytes(data[at + 8 : at + 12], "big")
        if data[at : at + 8] == b"\xff" * 8 or at + size > len(data):
            break
        (batch,) = batches(data[at : at + size])
        found.append([r.offset for r in batch.records()])
        at += size
    return found


@given(strategies.damaged(), st.integers(0, 1))
def test_only_malformed_bytes_escape_from_a_slice(data: bytes, target: int) -> None:
    strategies.check_raises_only_malformed(lambda: finished(as_one_set([data])))
    strategies.check_raises_only_malformed(
        lambda: finished(unit_by_unit([data], Rules(target, 0), raw_if_none_converted=False))
    )
    strategies.check_raises_only_malformed(lambda: lazily([data], Rules(target, 0), nothing_if_no_unit=True))


@pytest.mark.parametrize("codec", [0, GZIP])
def test_the_memory_of_a_conversion_beyond_its_answer_is_that_of_a_batch(codec: int) -> None:
    units = [v2.build(rows(first, 200, value=bytes(100)), codec=codec) for first in range(0, 20_000, 200)]
    apart = _peak(lambda: [convert(v2.RecordBatch(units[0]), Rules(1, 0))])
    out: list[Buffer] = []
    together = _peak(
        lambda: out.extend(buffers(finished(unit_by_unit(units, Rules(1, 0), raw_if_none_converted=False))))
    )
    assert len(out) == 100
    assert together - sum(map(len, out)) < 3 * apart


def test_a_lazy_conversion_needs_a_chunk_at_a_time() -> None:
    units = [v2.build(rows(first, 200, value=bytes(100))) for first in range(0, 20_000, 200)]
    sizes: list[int] = []
    peak = _peak(lambda: sizes.extend(map(len, lazily(units, Rules(1, 0), nothing_if_no_unit=True))))
    assert sum(sizes) == sum(map(len, units)) > 16 * CHUNK_BYTES
    assert peak < 5 * CHUNK_BYTES


@pytest.mark.parametrize("codec", [0, GZIP])
def test_a_long_answer_is_made_while_it_is_sent_and_is_as_long_as_was_said(codec: int) -> None:
    units = [v2.build(rows(first, 10, value=Random(0).randbytes(100_000)), codec=codec) for first in range(0, 50, 10)]
    units.insert(2, marker(20))
    (made,) = finished(unit_by_unit(units, Rules(1, 0), raw_if_none_converted=False))
    wanted = b"".join([convert(v2.RecordBatch(unit), Rules(1, 0)) for unit in units])
    assert isinstance(made, Chunks)
    assert len(made) == len(wanted) > AT_ONCE
    assert b"".join(made) == b"".join(made) == wanted


def test_0_10_makes_a_long_plain_set_while_it_is_sent() -> None:
    units = [v1.build(rows(first, 10, value=bytes(100_000)), codec=first % 3) for first in range(0, 60, 10)]
    (made,) = finished(as_one_set(units))
    assert isinstance(made, Chunks)
    assert b"".join(made) == v0.build(rows(0, 60, value=bytes(100_000)))


def test_units_that_are_counted_twice_are_on_the_tally_once() -> None:
    tally = Tally()
    units = [v2.build(rows(first, 10, value=bytes(100_000))) for first in range(0, 50, 10)]
    assert len(joined(finished(unit_by_unit(units, Rules(1, 0, tally=tally), raw_if_none_converted=False)))) > AT_ONCE
    assert (tally.units, tally.records, tally.newest) == (5, 50, 2)


def test_a_long_lazy_conversion_breaks_off_when_it_is_sent() -> None:
    broken = bytearray(v2.build(rows(2)))
    broken[57:61] = (9).to_bytes(4, "big")
    sound = v2.build(rows(0, value=bytes(CHUNK_BYTES)))
    made = lazily([sound, bytes(broken)], Rules(1, 0), nothing_if_no_unit=True)
    chunks = iter(made)
    assert next(chunks) == convert(v2.RecordBatch(sound), Rules(1, 0))
    with pytest.raises(ConversionBreaksOff):
        next(chunks)


def test_nothing_more_is_converted_when_the_length_is_reached() -> None:
    """The next unit is broken, and this goes unnoticed."""
    broken = bytearray(v2.build(rows(2)))
    broken[57:61] = (9).to_bytes(4, "big")
    first = v2.build([Record(n, n, 0, None, b"") for n in range(50)])
    assert len(convert(v2.RecordBatch(first), Rules(1, 0))) > len(first) + len(broken)
    assert only(lazy(first, bytes(broken))) == [(n, b"") for n in range(50)]


def _peak(action: Callable[[], object]) -> int:
    """The largest number of bytes in use at any time."""
    gc.collect()
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
