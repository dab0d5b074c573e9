"""Snappy in xerial framing, and raw. What is refused was asked of real brokers, 0.11.0.3 to 4.3.1."""

import pytest
import snappy
from fakekafka.records import v0, xerial
from fakekafka.records.malformed import UndecodablePayload
from fakekafka.records.record import Record

TEXT = b"a text that repeats itself, and again, and again. " * 40
HALF = len(TEXT) // 2
STREAM = xerial.write(TEXT)
LIMIT = 1 << 20


def read(data: bytes, most: int = LIMIT) -> bytes:
    return b"".join(xerial.read(data, most))


def test_the_example_of_the_byte_map() -> None:
    assert xerial.write(b"a") == xerial.HEADER + bytes.fromhex("00000003 010061")
    assert xerial.HEADER.hex() == "82534e415050590000000001" + "00000001"
    assert xerial.write(b"") == xerial.HEADER


@pytest.mark.parametrize("block", [1024, xerial.BLOCK])
def test_blocks_are_cut_at_their_size(block: int) -> None:
    data = bytes(i % 251 for i in range(70_000))
    stream = xerial.write(data, block)
    at, sizes = len(xerial.HEADER), []
    while at < len(stream):
        size = int.from_bytes(stream[at : at + 4], "big")
        sizes.append(len(snappy.decompress(stream[at + 4 : at + 4 + size])))
        at += 4 + size
    assert sizes == [block] * (len(data) // block) + [len(data) % block]
    assert read(stream) == data


@pytest.mark.parametrize(("count", "value_size", "blocks"), [
    (5, 300, [996, 316, 328]), (3, 10, [114]), (2, 3000, [12, 3016, 12, 3016]), (0, 0, []),
])  # fmt: skip
def test_blocks_by_writes_are_those_of_0_8_2_1(count: int, value_size: int, blocks: list[int]) -> None:
    """KAFKA-2189, asked of 0.8.2.1: a write that would fill 1 KiB is a block by itself; a message is three writes."""
    rows = [Record(n, -1, -1, b"k%d" % n, b"v" * value_size) for n in range(count)]
    messages = v0.build(rows) if rows else b""
    stream = xerial.write(messages, xerial.BY_WRITES)
    assert [len(block) for block in xerial.read(stream, LIMIT)] == blocks
    assert read(stream) == messages


def test_raw_snappy_is_read_however_short() -> None:
    assert read(snappy.compress(TEXT)) == TEXT
    assert read(snappy.compress(b"ab")) == b"ab"


def test_streams_are_joined() -> None:
    assert read(xerial.write(TEXT[:HALF]) + xerial.write(TEXT[HALF:])) == TEXT


def test_the_versions_in_the_first_header_are_ignored() -> None:
    assert read(STREAM[:8] + bytes(8) + STREAM[16:]) == TEXT
    assert read(STREAM[:8] + b"\0\0\0\x09" * 2 + STREAM[16:]) == TEXT


@pytest.mark.parametrize("tail", [b"\0", b"\0\0", b"\0\0\0"])
def test_less_than_a_size_after_the_last_block_is_ignored(tail: bytes) -> None:
    assert read(STREAM + tail) == TEXT


BROKEN = {
    "nothing": b"",
    "ten bytes of the header": STREAM[:10],
    "cut in the block": STREAM[:-5],
    "four zero bytes after": STREAM + bytes(4),
    "a negative size": STREAM + b"\xff" * 4,
    "a huge size": STREAM + b"\x00\xff\xff\xff",
    "another header that is cut": STREAM + STREAM[:9],
    "another header of version 0": STREAM + STREAM[:8] + bytes(8),
    "a broken block behind": STREAM + b"\0\0\0\4" + b"\xff" * 4,
    "raw, cut": snappy.compress(TEXT)[:-5],
    "raw, a byte after": snappy.compress(TEXT) + b"\0",
    "raw, of another size": b"\x01" + snappy.compress(TEXT)[2:],
    "something else": b"not compressed at all",
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_broken_streams_are_refused(data: bytes) -> None:
    with pytest.raises(UndecodablePayload):
        read(data)


def test_blocks_before_a_broken_one_come_out() -> None:
    blocks = xerial.read(STREAM + b"\0\0\0\4" + b"\xff" * 4, LIMIT)
    assert next(blocks) == TEXT
    with pytest.raises(UndecodablePayload):
        next(blocks)


@pytest.mark.parametrize("claimed", ["8080808004", "ffffffff0f"])
def test_a_claimed_size_allocates_nothing(claimed: str) -> None:
    with pytest.raises(UndecodablePayload, match="claim to become"):
        read(bytes.fromhex(claimed) + snappy.compress(TEXT)[2:])


def test_the_densest_block_is_below_the_limit_on_claims() -> None:
    data = bytes(xerial.BLOCK)
    assert len(data) < len(snappy.compress(data)) * 64 // 3
    assert read(xerial.write(data)) == data


def test_a_stream_larger_than_the_limit_is_refused() -> None:
    with pytest.raises(UndecodablePayload):
        read(STREAM, len(TEXT) - 1)
    assert read(STREAM, len(TEXT)) == TEXT
