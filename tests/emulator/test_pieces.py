from collections.abc import Iterator

import pytest
from fakekafka.ids import Buffer
from fakekafka.pieces import BreaksOff, Chunks, buffers, joined, size_of


def chunks(*parts: bytes) -> Chunks:
    return Chunks(sum(map(len, parts)), lambda: iter(parts))


def test_chunks_have_a_length_before_they_are_made() -> None:
    made: list[bytes] = []

    def give() -> Iterator[Buffer]:
        for part in (b"ab", b"c"):
            made.append(part)
            yield part

    piece = Chunks(3, give)
    assert (size_of([b"x", piece]), made) == (4, [])
    assert joined([b"x", piece]) == b"xabc"
    assert joined([piece]) == b"abc"
    assert len(made) == 4


def test_one_buffer_is_not_copied() -> None:
    data = b"some bytes"
    assert joined([data]) is data
    assert list(buffers([data, chunks(b"a", b"b")])) == [data, b"a", b"b"]


def test_chunks_that_break_off_are_not_joined() -> None:
    def give() -> Iterator[Buffer]:
        yield b"a"
        raise BreaksOff("gone")

    with pytest.raises(BreaksOff):
        joined([Chunks(2, give)])
