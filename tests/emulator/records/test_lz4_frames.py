"""LZ4 frames. What is refused was asked of real brokers, 0.8.2.2 to 4.3.1."""

import sys

import pytest
from fakekafka.binary import xxh32
from fakekafka.records import lz4_frames
from fakekafka.records.lz4_frames import FRAME_MAGIC, HeaderChecksum
from fakekafka.records.malformed import UndecodablePayload, UnsupportedLz4
from lz4 import block as lz4_block
from lz4 import frame as lz4_frame

TEXT = b"a text that repeats itself, and again, and again. " * 40
HALF = len(TEXT) // 2
FRAME = lz4_frames.write(TEXT)
RIGHT, BROKEN, IGNORED = HeaderChecksum
LIMIT = 1 << 24


def read(data: bytes, checksum: HeaderChecksum = RIGHT, most: int = LIMIT) -> bytes:
    return b"".join(lz4_frames.read(data, checksum, most))


def framed(flg: int, bd: int = 0x40, extra: bytes = b"", rest: bytes = FRAME[7:], broken: bool = False) -> bytes:
    """A frame with this descriptor and a fitting header checksum."""
    descriptor = bytes([flg, bd]) + extra
    hc = xxh32((FRAME_MAGIC if broken else b"") + descriptor) >> 8 & 0xFF
    return FRAME_MAGIC + descriptor + bytes([hc]) + rest


def packed(data: bytes) -> bytes:
    compressed: bytes = lz4_block.compress(data, store_size=False)
    return len(compressed).to_bytes(4, "little") + compressed


def test_the_header_is_kafkas() -> None:
    assert FRAME[:7].hex() == "04224d18604082"
    assert lz4_frames.write(TEXT, BROKEN)[:7].hex() == "04224d1860401a"
    assert lz4_frames.write(b"").hex() == "04224d1860408200000000"


@pytest.mark.parametrize(
    ("flg", "bd", "right", "broken"),
    [
        (0x60, 0x40, 0x82, 0x1A),
        (0x60, 0x50, 0xFB, 0x77),
        (0x60, 0x60, 0x51, 0xD6),
        (0x60, 0x70, 0x73, 0x10),
        (0x64, 0x40, 0xA7, 0x0C),
        (0x70, 0x40, 0xAD, 0xEC),
    ],
)
def test_header_checksums_of_other_descriptors(flg: int, bd: int, right: int, broken: int) -> None:
    assert framed(flg, bd)[6] == right
    assert framed(flg, bd, broken=True)[6] == broken


def test_blocks_are_cut_at_64_kib_and_stored_raw_when_that_is_shorter() -> None:
    noise = b"".join(xxh32(b"%d" % i).to_bytes(4, "big") for i in range(20_000))
    stream = lz4_frames.write(noise)
    assert stream[7:11] == (65536 | 1 << 31).to_bytes(4, "little")
    assert stream[11 + 65536 : 15 + 65536] == (len(noise) - 65536 | 1 << 31).to_bytes(4, "little")
    assert read(stream) == noise


def test_the_standard_library_reads_our_frames_and_we_read_its_independent_ones() -> None:
    for data in (b"", TEXT, TEXT * 100):
        assert lz4_frame.decompress(lz4_frames.write(data)) == data
        for options in ({}, {"store_size": False}, {"block_checksum": True}, {"content_checksum": True}):
            assert read(lz4_frame.compress(data, block_linked=False, **options)) == data


def test_a_higher_level_compresses_more() -> None:
    data = b" ".join(b"%d %d" % (i * i % 97, i % 13) for i in range(2000))
    assert len(lz4_frames.write(data, level=17)) < len(lz4_frames.write(data))
    assert read(lz4_frames.write(data, level=17)) == data


def test_without_cramjam_lz4_itself_compresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cramjam", None)
    assert read(lz4_frames.write(TEXT)) == TEXT
    assert lz4_frames.write(TEXT)[7:-4] == packed(TEXT)


@pytest.mark.parametrize(
    ("wanted", "taken"),
    [(RIGHT, (True, False, False)), (BROKEN, (False, True, False)), (IGNORED, (True, True, True))],
)
def test_the_accepted_header_checksum_depends_on_the_reader(wanted: HeaderChecksum, taken: tuple[bool, ...]) -> None:
    wrong = FRAME[:6] + b"\0" + FRAME[7:]
    for data, good in zip((FRAME, lz4_frames.write(TEXT, BROKEN), wrong), taken):
        if good:
            assert read(data, wanted) == TEXT
        else:
            with pytest.raises(UndecodablePayload, match="header checksum"):
                read(data, wanted)


@pytest.mark.parametrize("flg", [0x40, 0xA0, 0xE0, 0x20, 0x62, 0x61])
def test_linked_blocks_other_versions_and_reserved_bits_are_unsupported(flg: int) -> None:
    with pytest.raises(UnsupportedLz4):
        read(framed(flg))


@pytest.mark.parametrize("bd", [0x00, 0x30, 0xC0, 0x41])
def test_unknown_block_sizes_are_unsupported(bd: int) -> None:
    with pytest.raises(UnsupportedLz4):
        read(framed(0x60, bd))


@pytest.mark.parametrize(("bd", "size"), [(0x40, 1 << 16), (0x50, 1 << 18), (0x60, 1 << 20), (0x70, 1 << 22)])
def test_a_block_may_be_as_long_as_the_descriptor_says(bd: int, size: int) -> None:
    for extra in (0, 1):
        raw = (size + extra | 1 << 31).to_bytes(4, "little") + bytes(size + extra) + bytes(4)
        data = framed(0x60, bd, rest=raw)
        if extra:
            with pytest.raises(UndecodablePayload, match="are the most"):
                read(data)
        else:
            assert read(data) == bytes(size)
    with pytest.raises(UndecodablePayload):
        read(framed(0x60, bd, rest=packed(bytes(size + 1)) + bytes(4)))


def test_a_content_size_is_skipped_and_not_believed() -> None:
    assert read(framed(0x68, extra=(5).to_bytes(8, "little"))) == TEXT


def test_a_content_checksum_must_be_there_and_is_not_compared() -> None:
    assert read(framed(0x64) + b"abcd") == TEXT
    for tail in (b"", b"ab"):
        with pytest.raises(UndecodablePayload, match="truncated"):
            read(framed(0x64) + tail)


def test_readers_before_0_10_refuse_the_content_flags() -> None:
    for flg, extra in ((0x64, b""), (0x68, bytes(8))):
        with pytest.raises(UndecodablePayload):
            read(framed(flg, extra=extra, broken=True) + bytes(4), BROKEN)


def test_block_checksums_are_compared() -> None:
    one = packed(TEXT)
    right = xxh32(one[4:]).to_bytes(4, "little")
    assert read(framed(0x70, rest=one + right + bytes(4))) == TEXT
    with pytest.raises(UndecodablePayload, match="checksum of a block"):
        read(framed(0x70, rest=one + b"\0\0\0\0" + bytes(4)))


def test_bytes_after_the_end_mark_are_not_read() -> None:
    assert read(FRAME + b"garbage") == TEXT
    assert read(lz4_frames.write(TEXT[:HALF]) + lz4_frames.write(TEXT[HALF:])) == TEXT[:HALF]


@pytest.mark.parametrize("size", [0, 3, 4, 5, 6, 7, 9, 20, len(FRAME) - 4, len(FRAME) - 1])
def test_a_cut_frame_is_refused(size: int) -> None:
    with pytest.raises(UndecodablePayload):
        read(FRAME[:size])


def test_blocks_before_a_broken_one_come_out() -> None:
    data = framed(0x60, rest=packed(TEXT) + (8).to_bytes(4, "little") + b"\xff" * 8 + bytes(4))
    blocks = lz4_frames.read(data, RIGHT, LIMIT)
    assert next(blocks) == TEXT
    with pytest.raises(UndecodablePayload, match="block is broken"):
        next(blocks)


def test_a_frame_larger_than_the_limit_is_refused() -> None:
    with pytest.raises(UndecodablePayload):
        read(FRAME, most=len(TEXT) - 1)
    assert read(FRAME, most=len(TEXT)) == TEXT
