"""Record bytes in comparable form."""

from typing import Any

import pytest
from fakekafka.binary import crc32, crc32c
from fakekafka.records.compression import GZIP, SNAPPY, ZSTD, compress
from fakekafka.records.v2 import HEADER
from hypothesis import given
from hypothesis import strategies as st

from tests.golden.form import AS_SENT, Labels, differences
from tests.golden.units import record_units, sent_payloads

RECORDS = bytes.fromhex("1000000002 6b02 7600".replace(" ", ""))


def batch(producer_id: int = -1, attributes: int = 0, records: bytes = RECORDS, base_offset: int = 5) -> bytes:
    """A batch of format 2 with one record."""
    fields = (attributes, 0, 1000, 1000, producer_id, -1, -1, 1)
    tail = HEADER.pack(0, 0, 0, 0, 0, *fields)[21:] + records
    head = HEADER.pack(base_offset, len(tail) + 9, 0, 2, crc32c(tail), *fields)[:21]
    return head + tail


def message(magic: int, value: bytes, attributes: int = 0, offset: int = 5, key: bytes = b"") -> bytes:
    """A message of format 0 or 1."""
    time = (1000).to_bytes(8, "big") if magic else b""
    body = bytes([magic, attributes]) + time + len(key).to_bytes(4, "big") + key + len(value).to_bytes(4, "big") + value
    return offset.to_bytes(8, "big") + (len(body) + 4).to_bytes(4, "big") + crc32(body).to_bytes(4, "big") + body


def forms(data: bytes, labels: Labels | None = None) -> list[Any]:
    return record_units(data, labels or Labels())


def test_a_batch_is_shown_field_by_field() -> None:
    (form,) = forms(batch())
    assert form["base_offset"] == 5
    assert form["crc"] == "right"
    assert form["records"] == RECORDS


def test_a_message_is_shown_field_by_field() -> None:
    (form,) = forms(message(1, b"value", key=b"key"))
    expected = {
        "offset": 5,
        "magic": 1,
        "crc": "right",
        "attributes": 0,
        "timestamp": 1000,
        "key": b"key",
        "behind": b"",
    }
    assert form == expected | {"value": b"value"}


def test_forms_do_not_depend_on_the_producer_id() -> None:
    assert forms(batch(producer_id=7)) == forms(batch(producer_id=4000))
    assert forms(batch(producer_id=0)) != forms(batch(producer_id=-1))
    two, same = batch(7) + batch(8), batch(7) + batch(7)
    assert forms(two) != forms(same)


def test_units_with_a_wrong_checksum_are_raw() -> None:
    for unit in (batch(), message(0, b"value"), message(1, b"value")):
        broken = unit[:-1] + bytes([unit[-1] ^ 1])
        assert forms(broken) == [broken]


@pytest.mark.parametrize("codec", [GZIP, SNAPPY, ZSTD])
def test_what_a_broker_compressed_is_compared_by_content(codec: int) -> None:
    stream = compress(codec, RECORDS * 20)
    other = compress(codec, RECORDS * 20, level=1) if codec != SNAPPY else stream
    (one,) = forms(batch(attributes=codec, records=stream))
    (two,) = forms(batch(attributes=codec, records=other))
    assert one == two
    assert one["content"] == RECORDS * 20


def test_what_a_client_compressed_must_come_back_as_it_was() -> None:
    data = b"".join(b"%d" % n for n in range(500))
    stream, other = compress(GZIP, data), compress(GZIP, data, level=1)
    assert stream != other
    sent = sent_payloads(batch(attributes=GZIP, records=stream))
    assert sent == {stream}
    (one,) = forms(batch(attributes=GZIP, records=stream), Labels(sent=sent))
    assert one[AS_SENT] == stream
    (two,) = forms(batch(attributes=GZIP, records=other), Labels(sent=sent))
    assert AS_SENT not in two
    assert [d.path for d in differences(one, two)] == [AS_SENT]


def test_a_stream_that_the_recorded_broker_compressed_may_equal_one_that_a_client_sent() -> None:
    data = b"".join(b"%d" % n for n in range(500))
    stream, other = compress(GZIP, data), compress(GZIP, data, level=1)
    labels = Labels(sent={other})
    (recorded,) = forms(batch(attributes=GZIP, records=stream), labels)
    (got,) = forms(batch(attributes=GZIP, records=other), labels)
    assert not list(differences(recorded, got))


def test_a_wrapper_that_the_broker_built_shows_its_messages() -> None:
    inside = message(1, b"a", offset=0) + message(1, b"b", offset=1)
    (form,) = forms(message(1, compress(GZIP, inside), attributes=GZIP))
    assert form["content"] == forms(inside)


def test_blocks_of_snappy_count() -> None:
    data = RECORDS * 1000
    large, small = compress(SNAPPY, data), compress(SNAPPY, data, snappy_block=1024)
    (one,), (two,) = forms(batch(attributes=SNAPPY, records=large)), forms(batch(attributes=SNAPPY, records=small))
    assert one["content"] == two["content"]
    assert one["framing"] != two["framing"]


def test_streams_that_cannot_be_read_are_raw() -> None:
    (form,) = forms(batch(attributes=GZIP, records=b"no gzip at all"))
    assert form["records"] == b"no gzip at all"


def test_what_is_left_over_is_shown() -> None:
    cut = batch()[:-1]
    assert forms(batch() + cut)[1:] == [cut]
    assert forms(batch() + bytes(100))[1:] == [{"zeros": 100}]
    assert forms(b"") == []


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_forms_of_damaged_bytes_never_fail_and_differ_where_the_bytes_differ(one: bytes, other: bytes) -> None:
    assert (forms(one) == forms(other)) == (one == other)
    sent_payloads(one)


@given(st.integers(0, len(batch()) - 1), st.integers(1, 255))
def test_every_byte_of_a_batch_counts(at: int, mask: int) -> None:
    data = bytearray(batch())
    data[at] ^= mask
    assert forms(bytes(data)) != forms(batch())
