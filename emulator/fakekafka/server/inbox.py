"""The bytes that one connection sends, cut into frames. No sockets here.

`space()` says where to receive, `received(n)` how much came, and `next_frame()` gives frames while there are any. Small
frames are copied out of a buffer that connections borrow while they need one; a large one is received into a separate
buffer, which is handed on as it is, so that record bytes reach the log without another copy.

A claimed length allocates nothing by itself: a large frame's buffer starts at 1 MiB and doubles as bytes come in. An
idle connection has no buffer.
"""

import struct
from typing import TypeAlias

from fakekafka.errors import MalformedBytes

BUFFER_BYTES = 65536
LARGE = 32768
FIRST_ALLOCATION = 1 << 20
MOST_OF_STRANGERS = 1 << 19
"""How many bytes of one frame are kept for a client that has not logged in, whatever the release allows."""
ENDLESS = 1 << 31
MAX_SPARE = 16
"""How many buffers are kept for future connections."""
_SIZE = struct.Struct(">i")


class FrameRefused(MalformedBytes):
    """A frame of a size that the broker does not accept. `size` is what the client claimed."""

    def __init__(self, size: int) -> None:
        super().__init__(f"frame of {size} bytes")
        self.size = size


SpareBuffers: TypeAlias = list[memoryview]
"""Buffers of `BUFFER_BYTES` that no connection needs at the moment, at most `MAX_SPARE`."""


class Inbox:
    """Cuts a byte stream into frames of 0 to `max_frame_bytes` bytes."""

    def __init__(self, max_frame_bytes: int, spare: SpareBuffers) -> None:
        self._max_frame_bytes = max_frame_bytes
        self._spare = spare
        self._view: memoryview | None = None  # borrowed
        self._start = 0
        self._end = 0  # 0 <= start <= end <= BUFFER_BYTES: what has arrived and is not taken yet
        self._large: bytearray | None = None  # a frame that is being received on its own
        self._large_filled = 0
        self._large_size = 0
        self._size = 0  # the size of the next frame, as the client claims
        self._first_allocation, self._most_received = FIRST_ALLOCATION, ENDLESS
        self.has_frame = False
        """Whether `next_frame` would return or raise something."""
        self.has_room = True
        """Whether `space()` is not empty. It is empty when requests pile up behind one in flight."""

    def space(self) -> memoryview:
        """Where the transport receives next. Empty only when `has_room` says so."""
        if self._large is not None:
            if self._large_filled == len(self._large):
                larger = bytearray(min(2 * len(self._large), self._large_size))
                larger[: self._large_filled] = self._large  # a new one: the transport may still hold a view of this
                self._large = larger
            return memoryview(self._large)[self._large_filled :]
        if self._view is None:
            self._view = self._spare.pop() if self._spare else memoryview(bytearray(BUFFER_BYTES))
        elif BUFFER_BYTES - self._end < LARGE and self._start:  # move what is left to the front
            kept = bytes(self._view[self._start : self._end])
            self._view[: len(kept)] = kept
            self._start, self._end = 0, len(kept)
        return self._view[self._end :]

    def received(self, count: int) -> None:
        """Note that `count` bytes were written into the last `space()`."""
        if self._large is not None:
            self._large_filled += count
            self.has_frame = self._large_filled == self._large_size or self._large_filled > self._most_received
            self.has_room = not self.has_frame
        else:
            self._end += count
            self._look_ahead()

    def nothing_came(self) -> None:
        """Note that nothing was written into the last `space()`, so others may use the buffer meanwhile."""
        if self._start == self._end:
            self._release()

    def clear(self) -> None:
        """Discard everything that has arrived."""
        self._large = None
        self._start = self._end
        self._look_ahead()

    def trust(self, max_frame_bytes: int) -> None:
        """Accept frames up to this size from now on."""
        self._max_frame_bytes = max_frame_bytes
        self._first_allocation, self._most_received = FIRST_ALLOCATION, ENDLESS
        if self._large is None:
            self._look_ahead()

    def distrust(self, max_frame_bytes: int) -> None:
        """Refuse frames of this size once `MOST_OF_STRANGERS` bytes of one have come: the client is not identified.

        Memory grows with what a client has sent, not with what it claims to send.
        """
        self._max_frame_bytes = max_frame_bytes
        self._first_allocation, self._most_received = LARGE, MOST_OF_STRANGERS

    def next_frame(self) -> bytearray | None:
        """The next whole frame without its size; None when more bytes are needed. Raises `FrameRefused`."""
        if not self.has_frame:
            return None
        if self._large is not None:
            frame, self._large = self._large, None
            self.has_frame, self.has_room = False, True
            if self._large_filled < self._large_size:
                raise FrameRefused(self._large_size)
            return frame
        size = self._size
        if not 0 <= size <= self._max_frame_bytes:
            raise FrameRefused(size)
        assert self._view is not None
        start = self._start + 4
        self._start = start + size
        frame = bytearray(self._view[start : self._start])
        self._look_ahead()
        return frame

    def _look_ahead(self) -> None:
        """Find out what comes next: a complete frame, a part of one, or nothing."""
        available = self._end - self._start
        self.has_room = available < BUFFER_BYTES - 4
        if not available:
            self.has_frame = False
            self._release()
        elif available >= 4:
            assert self._view is not None
            self._size = size = _SIZE.unpack_from(self._view, self._start)[0]
            self.has_frame = available >= 4 + size or not 0 <= size <= self._max_frame_bytes
            if not self.has_frame and size > LARGE:
                self._begin_large(self._view, size)
        else:
            self.has_frame = False

    def _release(self) -> None:
        """Return the empty buffer for others to use."""
        self._start = self._end = 0
        if self._view is not None:
            if len(self._spare) < MAX_SPARE:
                self._spare.append(self._view)
            self._view = None

    def _begin_large(self, view: memoryview, size: int) -> None:
        came = view[self._start + 4 : self._end]
        self._large = bytearray(min(size, max(self._first_allocation, len(came))))
        self._large[: len(came)] = came
        self._large_filled, self._large_size = len(came), size
        self.has_room = True
        self._release()
