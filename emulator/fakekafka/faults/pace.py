"""How fast an answer goes out: at a limited rate, or in slices."""

from typing import NamedTuple

from fakekafka.ids import DurationMs

WHOLE: int = 1 << 30


class Allowed(NamedTuple):
    """What may be sent now, and when to ask again."""

    bytes: int
    again_ms: DurationMs
    """How long to wait once these bytes have been sent; 0: not at all."""


class Pace:
    """The pace of one connection's answers, from the first byte that it allows. `bytes_per_s` None: as fast as
    possible. `slice_bytes` None: in pieces of any size; between two slices there are `gap_ms`.
    """

    def __init__(self, bytes_per_s: int | None = None, slice_bytes: int | None = None, gap_ms: DurationMs = 0) -> None:
        self._bytes_per_s = bytes_per_s
        self._slice_bytes = slice_bytes
        self._gap_ms = gap_ms
        self._began_ms: DurationMs | None = None
        self._sent = 0
        self._not_before_ms: DurationMs = 0

    def allowed(self, elapsed_ms: DurationMs) -> Allowed:
        """How many bytes may be sent at this time on the broker's clock: at the beginning at least one."""
        if self._began_ms is None:
            self._began_ms = elapsed_ms
        if elapsed_ms < self._not_before_ms:
            return Allowed(0, self._not_before_ms - elapsed_ms)
        most = WHOLE if self._slice_bytes is None else self._slice_bytes
        if self._bytes_per_s is not None:
            so_far_ms = elapsed_ms - self._began_ms
            budget = 1 + so_far_ms * self._bytes_per_s // 1000 - self._sent
            if budget <= 0:
                next_byte_ms = -(-self._sent * 1000 // self._bytes_per_s)  # rounded up
                return Allowed(0, next_byte_ms - so_far_ms)
            most = min(most, budget)
        return Allowed(most, 0)

    def sent(self, count: int, elapsed_ms: DurationMs) -> None:
        """Count the bytes that were sent."""
        self._sent += count
        self._not_before_ms = elapsed_ms + self._gap_ms
