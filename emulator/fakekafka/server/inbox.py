"""The bytes that one connection sends, cut into frames. No sockets here.

The transport asks `space()` where to receive, says with `received(n)` how much came, and takes frames with
`next_frame()` while there are any. Small frames are copied out of one recycled buffer; a large one is received into
a buffer of its own, which is handed on as it is, so that record bytes reach the log without another copy.

A claimed length allocates nothing by itself: a large frame's buffer starts at 1 MiB and doubles as bytes come in.
"""

import struct

from fakekafka.errors import MalformedBytes

BUFFER_BYTES = 65536
LARGE = 32768
FIRST_ALLOCATION = 1 << 20
_SIZE = struct.Struct(">i")


class FrameRefused(MalformedBytes):
    """A frame of a size that the broker does not take. `size` is what the client claimed."""

    def __init__(self, size: int) -> None:
        super().__init__(f"frame of {size} bytes")
        self.size = size


class Inbox:
    """Cuts a byte stream into frames of 0 to `max_frame_bytes` bytes."""

    def __init__(self, max_frame_bytes: int) -> None:
        self._max_frame_bytes = max_frame_bytes
        self._buffer = bytearray(BUFFER_BYTES)
        self._view = memoryview(self._buffer)
        self._start = 0
        self._end = 0  # 0 <= start <= end <= BUFFER_BYTES: what came and is not taken yet
        self._large: bytearray | None = None  # a frame that is being received on its own
        self._large_filled = 0
        self._large_size = 0

    def space(self) -> memoryview:
        """Where the transport receives next. Empty only when `has_room` says so."""
        if self._large is not None:
            if self._large_filled == len(self._large):
                larger = bytearray(min(2 * len(self._large), self._large_size))
                larger[: self._large_filled] = self._large  # a new one: the transport may still hold a view of this
                self._large = larger
            return memoryview(self._large)[self._large_filled :]
        if self._start == self._end:
            self._start = self._end = 0
        elif BUFFER_BYTES - self._end < LARGE and self._start:  # move what is left to the front
            kept = bytes(self._view[self._start : self._end])
            self._view[: len(kept)] = kept
            self._start, self._end = 0, len(kept)
        return self._view[self._end :]

    def has_room(self) -> bool:
        """Whether `space()` is not empty. It is when requests pile up behind one in flight."""
        return self._large is not None or self._end - self._start < BUFFER_BYTES - 4

    def received(self, count: int) -> None:
        """`count` bytes were written into the last `space()`."""
        if self._large is not None:
            self._large_filled += count
        else:
            self._end += count

    def drop(self) -> None:
        """Throw away everything that came."""
        self._start = self._end = 0
        self._large = None

    def next_frame(self) -> bytearray | None:
        """The next whole frame without its size; None when more bytes are needed. Raises `FrameRefused`."""
        if self._large is not None:
            return self._take_large()
        available = self._end - self._start
        if available < 4:
            return None
        (size,) = _SIZE.unpack_from(self._buffer, self._start)
        if not 0 <= size <= self._max_frame_bytes:
            raise FrameRefused(size)
        if available >= 4 + size:
            start = self._start + 4
            self._start = start + size
            return bytearray(self._view[start : self._start])
        if size > LARGE:
            self._begin_large(size)
        return None

    def _begin_large(self, size: int) -> None:
        came = self._view[self._start + 4 : self._end]
        self._large = bytearray(min(size, FIRST_ALLOCATION))
        self._large[: len(came)] = came
        self._large_filled, self._large_size = len(came), size
        self._start = self._end = 0

    def _take_large(self) -> bytearray | None:
        if self._large_filled < self._large_size:
            return None
        frame, self._large = self._large, None
        return frame
