"""The bytes that one connection is sent: answers go in as pieces, buffers come out. No sockets here.

Chunks are made one at a time, when their turn comes, so that only one chunk of a large answer is in memory.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from fakekafka.ids import Buffer
from fakekafka.pieces import Chunks, Piece

MAX_BUFFERS: Final = 512
"""The most buffers given at once: `sendmsg` takes IOV_MAX, which is 1024 on Linux."""


class Outbox:
    """A queue of pieces. `size`: how many bytes are not sent yet."""

    def __init__(self) -> None:
        self.size = 0
        self._queue: deque[Piece | Iterator[Buffer]] = deque()  # an iterator gives the remaining chunks of an answer
        self._ready: deque[Buffer] = deque()  # what is sent before the queue

    def put(self, pieces: Sequence[Piece]) -> None:
        """Append an answer."""
        for piece in pieces:
            self.size += len(piece)
            if self._queue or isinstance(piece, Chunks):
                self._queue.append(piece)
            else:
                self._ready.append(piece)

    def ready(self, most: int) -> list[Buffer]:
        """At most `most` bytes to send next, as buffers: those up to the first `Chunks`, or one chunk. Raises
        `BreaksOff`.
        """
        if self._queue and not self._ready:
            self._make_ready()
        if self.size <= most and len(self._ready) <= MAX_BUFFERS:
            return list(self._ready)
        buffers: list[Buffer] = []
        for buffer in islice(self._ready, MAX_BUFFERS):
            buffers.append(buffer if len(buffer) <= most else memoryview(buffer)[:most])
            most -= len(buffer)
            if most <= 0:
                break
        return buffers

    def sent(self, count: int) -> None:
        """Note that the first `count` bytes of what was ready have been sent."""
        ready = self._ready
        self.size -= count
        if not self.size:
            self._queue.clear()
            ready.clear()
            return
        while ready and count >= len(ready[0]):
            count -= len(ready.popleft())
        if count:
            ready[0] = memoryview(ready[0])[count:]

    def clear(self) -> None:
        """Discard everything."""
        self._queue.clear()
        self._ready.clear()
        self.size = 0

    def _make_ready(self) -> None:
        queue, ready = self._queue, self._ready
        while queue:
            piece = queue.popleft()
            if isinstance(piece, Chunks):
                queue.appendleft(iter(piece))
            elif isinstance(piece, (bytes, bytearray, memoryview)):
                ready.append(piece)
            elif ready:
                queue.appendleft(piece)
                return
            elif (chunk := next(piece, None)) is not None:
                queue.appendleft(piece)
                ready.append(chunk)
                return
