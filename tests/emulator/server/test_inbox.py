"""The inbox: frames come out as they went in, however the bytes arrive, and a claimed length allocates nothing."""

import struct
import tracemalloc

import pytest
from fakekafka.server.inbox import BUFFER_BYTES, LARGE, FrameRefused, Inbox, SpareBuffers
from hypothesis import given
from hypothesis import strategies as st

LIMIT = 100 << 20


def framed(*frames: bytes) -> bytes:
    return b"".join(struct.pack(">i", len(frame)) + frame for frame in frames)


def fed(inbox: Inbox, data: bytes, piece: int) -> list[bytes]:
    """The frames that come out while `data` goes in, at most `piece` bytes at a time."""
    out, rest = [], memoryview(data)
    while len(rest):
        space = inbox.space()
        count = min(len(space), len(rest), piece)
        space[:count] = rest[:count]
        inbox.received(count)
        rest = rest[count:]
        while (frame := inbox.next_frame()) is not None:
            out.append(bytes(frame))
    return out


SIZES = st.one_of(
    st.integers(0, 300), st.sampled_from([LARGE - 1, LARGE, LARGE + 1, BUFFER_BYTES - 4, BUFFER_BYTES, 3 << 20])
)


@given(sizes=st.lists(SIZES, max_size=6), piece=st.sampled_from([1000, 4096, LARGE, BUFFER_BYTES, 1 << 30]))
def test_frames_come_out_as_they_went_in(sizes: list[int], piece: int) -> None:
    frames = [bytes([n % 251]) * size for n, size in enumerate(sizes)]
    assert fed(Inbox(LIMIT, SpareBuffers()), framed(*frames), piece) == frames


def test_a_frame_may_come_byte_by_byte() -> None:
    assert fed(Inbox(LIMIT, SpareBuffers()), framed(b"abc", b"", b"de"), 1) == [b"abc", b"", b"de"]


@pytest.mark.parametrize("size", [-1, -(2**31), LIMIT + 1, 2**31 - 1])
def test_a_size_out_of_range_is_refused(size: int) -> None:
    inbox = Inbox(LIMIT, SpareBuffers())
    with pytest.raises(FrameRefused) as refused:
        fed(inbox, struct.pack(">i", size), 4)
    assert refused.value.size == size


def test_the_largest_frame_is_accepted() -> None:
    assert len(fed(Inbox(70_000, SpareBuffers()), framed(bytes(70_000)), 1 << 30)[0]) == 70_000


def test_a_claimed_length_allocates_little() -> None:
    inbox = Inbox(LIMIT, SpareBuffers())
    tracemalloc.start()
    try:
        assert fed(inbox, struct.pack(">i", LIMIT) + b"only this", 100) == []
        assert tracemalloc.get_traced_memory()[1] < 3 << 20
    finally:
        tracemalloc.stop()


def test_a_connection_to_which_nothing_came_has_no_buffer() -> None:
    spare = SpareBuffers()
    inbox, other = Inbox(LIMIT, spare), Inbox(LIMIT, spare)
    space = inbox.space()
    inbox.nothing_came()
    assert other.space().obj is space.obj
    assert fed(inbox, framed(b"abc"), 1) == [b"abc"]


def test_a_part_of_a_frame_stays_while_nothing_comes() -> None:
    inbox = Inbox(LIMIT, SpareBuffers())
    data = framed(b"abc")
    for byte in data:
        inbox.space()[0] = byte
        inbox.received(1)
        inbox.space()
        inbox.nothing_came()
    frame = inbox.next_frame()
    assert frame is not None
    assert bytes(frame) == b"abc"


def test_a_large_frame_is_handed_on_in_its_own_buffer() -> None:
    inbox = Inbox(LIMIT, SpareBuffers())
    data = framed(bytes(LARGE + 1))
    for at in range(0, len(data), LARGE):
        space = inbox.space()
        piece = data[at : at + LARGE]
        space[: len(piece)] = piece
        inbox.received(len(piece))
    frame = inbox.next_frame()
    assert isinstance(frame, bytearray)
    frame[0] = 7  # writable: offsets are stamped into it


def test_nothing_is_lost_when_there_is_no_room() -> None:
    inbox = Inbox(LIMIT, SpareBuffers())
    frames = [bytes([n]) * 1000 for n in range(100)]
    data = framed(*frames)
    sent = 0
    while inbox.has_room:
        space = inbox.space()
        piece = data[sent : sent + len(space)]
        space[: len(piece)] = piece
        inbox.received(len(piece))
        sent += len(piece)
    out = []
    while (frame := inbox.next_frame()) is not None:
        out.append(bytes(frame))
    assert out + fed(inbox, data[sent:], 5000) == frames


def test_cleared_bytes_are_gone() -> None:
    inbox = Inbox(LIMIT, SpareBuffers())
    assert fed(inbox, struct.pack(">i", 50_000) + b"begin", 100) == []
    inbox.clear()
    assert fed(inbox, framed(b"next"), 100) == [b"next"]


def test_a_whole_large_frame_leaves_no_room_until_it_is_taken_out() -> None:
    """A transport that read into no space would take the 0 bytes for the end."""
    inbox = Inbox(LIMIT, SpareBuffers())
    for piece in (struct.pack(">i", LARGE + 1), bytes(LARGE), b"x"):
        inbox.space()[: len(piece)] = piece
        inbox.received(len(piece))
    assert inbox.has_frame
    assert not inbox.has_room
    assert bytes(inbox.next_frame() or b"") == bytes(LARGE) + b"x"
    assert inbox.has_room


@given(sizes=st.lists(SIZES, max_size=4), piece=st.sampled_from([1000, BUFFER_BYTES]))
def test_an_inbox_with_nothing_in_it_borrows_no_buffer(sizes: list[int], piece: int) -> None:
    buffer = memoryview(bytearray(BUFFER_BYTES))
    spare = [buffer]
    fed(Inbox(LIMIT, spare), framed(*(bytes(size) for size in sizes)), piece)
    assert [each is buffer for each in spare] == [True]
