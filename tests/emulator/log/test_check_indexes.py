"""What index entries must satisfy. `test_check.py` damages real files; here are the corner cases."""

from fakekafka.log.check_indexes import offset_faults, time_faults, txn_faults, without_padding
from fakekafka.log.findings import Places
from fakekafka.log.offset_index import OffsetIndex
from fakekafka.log.time_index import TimeIndex
from hypothesis import given
from hypothesis import strategies as st


def places(*, is_newest: bool = True) -> Places:
    """Units at 0, 50 and 90 with the offsets 10-11, 12 and 13-15."""
    found = Places(10, is_newest=is_newest)
    for position, last_offset, timestamp in ((0, 11, 300), (50, 12, 100), (90, 15, 500)):
        found.add(position, last_offset, timestamp)
    return found


def test_true_entries_have_no_faults() -> None:
    offsets, times = OffsetIndex(10, 80), TimeIndex(10, 120)
    offsets.append(12, 50)
    offsets.append(13, 90)
    times.maybe_append(300, 11)
    times.maybe_append(500, 15)
    assert list(offset_faults(offsets.content(), places())) == []
    assert list(time_faults(times.content(), places())) == []
    assert list(txn_faults(b"", places())) == []


def test_an_index_of_an_empty_segment_is_empty() -> None:
    assert list(offset_faults(bytes(80), Places(10))) == []
    assert list(time_faults(bytes(120), Places(10))) == []


def test_a_closed_segments_index_has_no_room_for_more() -> None:
    closed, offsets, times = places(is_newest=False), OffsetIndex(10, 80), TimeIndex(10, 120)
    offsets.append(13, 90)
    times.maybe_append(500, 15)
    assert list(offset_faults(offsets.content(), closed)) == []
    assert list(time_faults(times.content(), closed)) == []
    assert list(offset_faults(offsets.content() + bytes(8), closed)) == [(8, "offset 10 does not come after 13")]
    assert [at for at, _ in time_faults(times.content() + bytes(12), closed)] == [12, 24]


def test_an_offset_index_must_not_name_what_lies_beyond_its_segment() -> None:
    offsets = OffsetIndex(10, 80)
    offsets.append(12, 50)
    offsets.append(16, 90)
    assert list(offset_faults(offsets.content(), places())) == [(8, "no unit holds offset 16")]


def test_a_time_index_must_not_be_younger_than_its_records() -> None:
    times = TimeIndex(10, 120)
    times.maybe_append(300, 10)  # the unit that ends at 11
    times.maybe_append(501, 15)
    assert list(time_faults(times.content(), places())) == [(12, "nothing up to offset 15 is as young as 501")]
    converted = Places(10)
    converted.add(0, 15, -1)  # converted to format 0
    assert list(time_faults(times.content(), converted)) == []


def test_a_closed_segments_time_index_ends_with_its_largest_timestamp() -> None:
    times = TimeIndex(10, 120)
    times.maybe_append(300, 11)
    assert list(time_faults(times.content(), places())) == []
    assert list(time_faults(times.content(), places(is_newest=False))) == [
        (12, "it ends with timestamp 300, the segment has 500")
    ]
    assert list(time_faults(bytes(12), places(is_newest=False))) == [
        (12, "it ends with timestamp 0, the segment has 500")
    ]
    assert list(time_faults(b"", places(is_newest=False))) == []  # as Kafka's own migration makes it (KIP-33)


@given(st.binary(max_size=100), st.booleans())
def test_any_bytes_can_be_checked(data: bytes, is_newest: bool) -> None:
    for faults in (offset_faults, time_faults, txn_faults):
        for position, what in faults(data, places(is_newest=is_newest)):
            assert 0 <= position <= len(data)
            assert what


def test_remnants_in_an_index_that_is_not_trimmed_are_not_found() -> None:
    """A truncation leaves them; units that came later need not lie where they point, nor be as old as they say."""
    offsets, times = OffsetIndex(10, 80), TimeIndex(10, 120)
    offsets.append(13, 77)
    times.maybe_append(1, 13)
    assert [what for _, what in offset_faults(offsets.content(), places())] == ["no unit begins at 77"]
    assert list(offset_faults(offsets.content() + bytes(8), places())) == []
    assert list(time_faults(times.content(), places())) != []
    assert list(time_faults(times.content() + bytes(12), places())) == []


def test_a_wrong_entry_before_right_ones_is_found_in_an_index_that_is_not_trimmed() -> None:
    """Two right entries behind it cannot both be remnants."""
    long, offsets, times = Places(0, is_newest=True), OffsetIndex(0, 80), TimeIndex(0, 120)
    for number in range(5):
        long.add(100 * number, number, 1000 + number)
    for offset, position in ((1, 100), (2, 201), (3, 300), (4, 400)):
        offsets.append(offset, position)
    for timestamp, offset in ((1000, 0), (1001, 1), (1002, 3), (1003, 3), (1004, 4)):
        times.maybe_append(timestamp, offset)
    assert list(offset_faults(offsets.content() + bytes(40), long)) == [(8, "no unit begins at 201")]
    assert list(offset_faults(offsets.content()[:24] + bytes(40), long)) == []  # one right entry may be a remnant
    assert [at for at, _ in time_faults(times.content() + bytes(48), long)] == [24]
    assert list(time_faults(times.content()[:48] + bytes(48), long)) == []


def test_padding_is_cut_at_an_entry() -> None:
    assert without_padding(b"\1" + bytes(15), 8) == b"\1" + bytes(7)
    assert without_padding(bytes(16), 8) == b""
