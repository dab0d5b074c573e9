"""Codecs: round trips, framing, which payloads are refused and which are still decompressed."""

import gc
import os
import random
import struct
import subprocess
import sys
import tracemalloc
import zlib
from pathlib import Path

import pytest
import zstandard
from fakekafka.records import compression
from fakekafka.records.compression import GZIP, LZ4, NONE, ZSTD, compress, decompress, decompress_part
from fakekafka.records.lz4_frames import HeaderChecksum
from fakekafka.records.malformed import PayloadEndsEarly, UndecodablePayload, UnknownCodec
from hypothesis import given
from hypothesis import strategies as st

CODECS = range(5)
TEXT = b"a text that repeats itself, and again, and again. " * 40
HALF = len(TEXT) // 2
MIXED = b" ".join(b"%d %d" % (i * i % 97, i % 13) for i in range(2000))


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("size", [0, 1, 100, 32768, 65536, 65537, 200_000])
def test_payloads_round_trip(codec: int, size: int) -> None:
    data = (TEXT * 200)[:size]
    assert decompress(codec, compress(codec, data)) == data


@given(st.binary(max_size=500), st.sampled_from(CODECS), st.sampled_from([bytes, bytearray, memoryview]))
def test_any_buffer_of_any_bytes_round_trips(data: bytes, codec: int, kind: type) -> None:
    assert decompress(codec, kind(compress(codec, kind(data)))) == data


@pytest.mark.parametrize("codec", [5, 6, 7])
def test_unknown_codecs_are_refused(codec: int) -> None:
    for call in (compress, decompress, decompress_part):
        with pytest.raises(UnknownCodec):
            call(codec, b"")


@given(st.binary(max_size=200), st.integers(1, 4), st.sampled_from(HeaderChecksum))
def test_random_bytes_raise_only_malformed_bytes(data: bytes, codec: int, checksum: HeaderChecksum) -> None:
    out, failure = decompress_part(codec, data, lz4_checksum=checksum)
    assert len(out) < 1 << 20
    if failure:
        with pytest.raises(UndecodablePayload):
            decompress(codec, data, lz4_checksum=checksum)
    else:
        assert decompress(codec, data, lz4_checksum=checksum) == out


@given(st.integers(1, 4), st.data())
def test_a_damaged_stream_is_whole_or_refused(codec: int, data: st.DataObject) -> None:
    stream = bytearray(compress(codec, TEXT))
    at = data.draw(st.integers(0, len(stream) - 1))
    stream[at] ^= 1 << data.draw(st.integers(0, 7))
    out, failure = decompress_part(codec, bytes(stream))
    assert failure or len(out) <= 2 * len(TEXT)


@pytest.mark.parametrize(("codec", "levels"), [(GZIP, (1, 3)), (LZ4, (1, 17)), (ZSTD, (-5, 19))])
def test_levels_change_the_bytes_and_not_the_content(codec: int, levels: tuple[int, ...]) -> None:
    streams = {compress(codec, MIXED, level=level) for level in (None, *levels)}
    assert len(streams) == len(levels) + 1
    assert {decompress(codec, stream) for stream in streams} == {MIXED}


@pytest.mark.parametrize(("codec", "default"), [(GZIP, 6), (GZIP, -1), (LZ4, 9), (ZSTD, 3)])
def test_without_a_level_the_default_is_used(codec: int, default: int) -> None:
    assert compress(codec, TEXT, level=default) == compress(codec, TEXT)


@pytest.mark.parametrize("codec", CODECS[1:])
def test_too_much_output_is_refused(codec: int, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = compress(codec, bytes(300_000))
    monkeypatch.setattr(compression, "MOST_TIMES", 1)
    monkeypatch.setattr(compression, "ALWAYS_ALLOWED", 299_999)
    with pytest.raises(UndecodablePayload):
        decompress(codec, stream)
    monkeypatch.setattr(compression, "ALWAYS_ALLOWED", 300_000)
    assert len(decompress(codec, stream)) == 300_000


@pytest.mark.parametrize("codec", CODECS[1:])
def test_a_large_payload_may_exceed_what_is_always_allowed(codec: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data = random.Random(7).randbytes(100_000) * 3
    monkeypatch.setattr(compression, "ALWAYS_ALLOWED", 1000)
    assert decompress(codec, compress(codec, data)) == data


@pytest.mark.parametrize("codec", CODECS[1:])
def test_a_bomb_takes_hardly_more_memory_than_what_comes_out(codec: int, monkeypatch: pytest.MonkeyPatch) -> None:
    most = 1 << 25
    stream = compress(codec, bytes(2 * most))
    monkeypatch.setattr(compression, "ALWAYS_ALLOWED", most)
    tracemalloc.start()
    part = compression.decompress_part(codec, stream)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert part.failure is not None
    assert peak < 1.5 * max(most, compression.MOST_TIMES * len(stream))


@pytest.mark.parametrize("codec", CODECS[1:])
@pytest.mark.parametrize("more", [-1, 0, 1, 5000])
def test_a_payload_that_needs_more_room_is_read_as_a_whole(
    codec: int, more: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cut payload is read as far as possible."""
    monkeypatch.setattr(compression, "LARGE", 70_000)
    data = random.Random(more).randbytes(7_000) * 10 + b"x" * max(more, 0)
    data = data[: 70_000 + more]
    stream = compress(codec, data)
    assert decompress(codec, stream) == data
    part = decompress_part(codec, stream[:-9])
    assert part.failure is not None
    assert data.startswith(part.data)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="asks Linux")
def test_a_large_payload_leaves_little_memory_behind() -> None:
    """The allocator that reads logs keeps small blocks, which a growing buffer leaves behind."""
    code = (
        "import re; from fakekafka.records.compression import ZSTD, compress, decompress_part\n"
        "def peak(): return int(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1]) >> 10\n"
        "stream = b''.join(compress(ZSTD, b'seven..' * 2_500_000) for _ in range(8))\n"
        "before = peak(); size = len(decompress_part(ZSTD, stream).data) >> 20; print(size, peak() - before - size)"
    )
    allocation = {"MALLOC_TRIM_THRESHOLD_": str(256 << 20), "MALLOC_MMAP_THRESHOLD_": str(64 << 20)}
    run = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | allocation, capture_output=True, text=True, check=True
    )
    size, more = map(int, run.stdout.split())
    assert size == 133
    assert more < 50


@pytest.mark.parametrize("size", [1 << 20, (1 << 20) + 1, 3 << 20])
def test_a_gzip_stream_is_read_to_its_end_whatever_piece_it_ends_in(size: int) -> None:
    for data in (bytes(size), random.Random(size).randbytes(size)):
        assert decompress(GZIP, compress(GZIP, data)) == data


def test_codec_packages_are_imported_on_first_use() -> None:
    code = (
        "import sys; import fakekafka.records.scan, fakekafka.records.control\n"
        "print([m for m in ('lz4', 'zstandard', 'snappy', 'cramjam', 'crc32c') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}; {code}"],
                         capture_output=True, text=True, encoding="utf-8", check=True)  # fmt: skip
    assert run.stdout.strip() == "[]"


# ---- gzip


def test_gzip_header_and_trailer() -> None:
    stream = compress(GZIP, TEXT)
    assert stream[:10].hex() == "1f8b08000000000000ff"
    assert stream[-8:] == struct.pack("<II", zlib.crc32(TEXT), len(TEXT))
    assert zlib.decompress(stream, 31) == TEXT


def test_gzip_members_are_joined() -> None:
    assert decompress(GZIP, compress(GZIP, TEXT[:HALF]) + compress(GZIP, TEXT[HALF:])) == TEXT
    assert decompress(GZIP, compress(GZIP, TEXT) + compress(GZIP, b"")) == TEXT


@pytest.mark.parametrize("tail", [b"garbage" * 6, bytes(40), b"\x1f\x8b\x08", b"x"])
def test_bytes_after_the_last_gzip_member_are_ignored(tail: bytes) -> None:
    assert decompress(GZIP, compress(GZIP, TEXT) + tail) == TEXT


def test_gzip_headers_with_all_optional_fields_are_read() -> None:
    body = compress(GZIP, TEXT)[10:]
    assert decompress(GZIP, b"\x1f\x8b\x08\x1c\0\0\0\0\0\x03" + b"\2\0ab" + b"name\0" + b"comment\0" + body) == TEXT


def test_a_cut_gzip_stream_gives_what_came_before() -> None:
    stream = compress(GZIP, TEXT)
    for cut, whole in ((len(stream) - 60, False), (20, False), (8, True), (4, True), (1, True)):
        out, failure = decompress_part(GZIP, stream[:-cut])
        assert isinstance(failure, PayloadEndsEarly)
        assert TEXT.startswith(out)
        assert (out == TEXT) == whole


@pytest.mark.parametrize("size", [0, 5, 9])
def test_a_cut_gzip_header_is_not_a_cut_stream(size: int) -> None:
    failure = decompress_part(GZIP, compress(GZIP, TEXT)[:size]).failure
    assert isinstance(failure, UndecodablePayload)
    assert not isinstance(failure, PayloadEndsEarly)


@pytest.mark.parametrize("at", [-8, -4, 20])
def test_wrong_gzip_checksums_and_bodies_are_refused(at: int) -> None:
    stream = bytearray(compress(GZIP, TEXT))
    stream[at] ^= 0xFF
    failure = decompress_part(GZIP, bytes(stream)).failure
    assert isinstance(failure, UndecodablePayload)
    assert not isinstance(failure, PayloadEndsEarly)


def test_a_second_gzip_member_with_a_broken_body_is_refused() -> None:
    with pytest.raises(UndecodablePayload):
        decompress(GZIP, compress(GZIP, TEXT) + b"\x1f\x8b\x08\0\0\0\0\0\0\0" + b"\xff" * 30)


# ---- zstd


def frame(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_content_size=True).compress(data)


def test_zstd_frames_are_as_a_stream_writer_makes_them() -> None:
    stream = compress(ZSTD, TEXT)
    parameters = zstandard.get_frame_parameters(stream)
    assert parameters.content_size in (zstandard.CONTENTSIZE_UNKNOWN, 0xFFFFFFFFFFFFFFFF)
    assert not parameters.has_checksum
    assert stream.endswith(b"\1\0\0")


def test_zstd_frames_are_joined_and_skippable_frames_are_skipped() -> None:
    skippable = struct.pack("<II", 0x184D2A50, 3) + b"abc"
    assert decompress(ZSTD, frame(TEXT[:HALF]) + skippable + compress(ZSTD, TEXT[HALF:]) + skippable) == TEXT


def test_an_empty_zstd_payload_is_an_empty_stream() -> None:
    assert decompress(ZSTD, b"") == b""


@pytest.mark.parametrize("make", [frame, lambda data: compress(ZSTD, data)])
def test_a_cut_zstd_frame_is_refused(make: object) -> None:
    assert callable(make)
    stream = make(TEXT)
    for cut in range(1, len(stream)):
        with pytest.raises(UndecodablePayload):
            decompress(ZSTD, stream[:-cut])


def test_a_cut_later_zstd_frame_ends_the_stream_as_in_java() -> None:
    assert decompress(ZSTD, frame(TEXT) + frame(TEXT)[:-3]).startswith(TEXT)


def test_other_bytes_after_a_zstd_frame_are_refused() -> None:
    out, failure = decompress_part(ZSTD, frame(TEXT) + b"garbage!")
    assert out == TEXT
    assert isinstance(failure, UndecodablePayload)


def test_large_zstd_streams_are_read_in_steps() -> None:
    data = b"".join(zlib.crc32(b"%d" % i).to_bytes(4, "big") for i in range(50_000))
    stream = compress(ZSTD, data)
    assert len(stream) > 10 * compression.ZSTD_STEPS[-1]
    assert decompress(ZSTD, stream + stream) == data + data


def test_a_payload_without_codec_is_not_copied() -> None:
    assert decompress(NONE, memoryview(b"abc")) == compress(NONE, bytearray(b"abc")) == b"abc"


@pytest.mark.parametrize("codec", [GZIP, ZSTD])
def test_a_refused_payload_leaves_nothing_in_memory(monkeypatch: pytest.MonkeyPatch, codec: int) -> None:
    """Even before the garbage collector runs: a reader of such batches has little memory."""
    monkeypatch.setattr(compression, "ALWAYS_ALLOWED", 8 << 20)
    stream = compress(codec, bytes(16 << 20))
    gc.disable()
    tracemalloc.start()
    try:
        for _ in range(3):
            assert decompress_part(codec, stream).failure is not None
        assert tracemalloc.get_traced_memory()[0] < 1 << 20
    finally:
        tracemalloc.stop()
        gc.enable()


def test_what_a_request_has_left_bounds_the_memory_for_a_payload(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "LARGE", 1 << 16)
    stream = compress(GZIP, bytes(1 << 20))
    before = compression.left_together.set(1 << 18)
    tracemalloc.start()
    try:
        assert decompress_part(GZIP, stream).failure is not None
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()
        compression.left_together.reset(before)
