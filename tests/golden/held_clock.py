"""The clock of a replay: the wall clock stands where the recording says; elapsed time passes only while the replay
waits.

Recordings were made with the broker's wall clock held still while real time, on which its timers run, went on. Up to
0.10.0 brokers had no such second clock: sessions, rebalances and waiting fetches ended by the wall clock (as the
recordings show). For these, moving the wall clock lets as much time elapse; but the tasks that recur by themselves,
such as retention, went on in real time even there (`on_jump`).
"""

from collections.abc import Callable

from fakekafka.clock import Ticking
from fakekafka.ids import DurationMs, TimestampMs

FIRST_WITH_ELAPSED_TIME = (0, 10, 1)
FIRST_WITH_ELAPSED_THROTTLE = (2, 8)
"""Before this release, clients over their quota waited by the wall clock."""


class HeldClock:
    """A `Clock` with two hands that move apart."""

    def __init__(self, now_ms: TimestampMs) -> None:
        self._now_ms = now_ms
        self._elapsed_ms: DurationMs = 0
        self._listeners: list[Ticking] = []
        self.coupled = False
        """Whether time elapses when the wall clock is moved ahead."""
        self.on_jump: Callable[[DurationMs], None] = lambda ms: None
        """Called before time elapses at once because of such a move, with the milliseconds."""

    @property
    def now_ms(self) -> TimestampMs:
        return self._now_ms

    @property
    def elapsed_ms(self) -> DurationMs:
        return self._elapsed_ms

    def attach(self, listener: Ticking) -> None:
        self._listeners.append(listener)

    def detach(self, listener: Ticking) -> None:
        if listener in self._listeners:
            self._listeners.remove(listener)

    def couple(self, release: str, *, throttles: bool = False) -> None:
        """From here on the clock belongs to a broker of `release`. `throttles`: whether it makes clients wait."""
        number = tuple(map(int, release.split(".")))
        first = FIRST_WITH_ELAPSED_THROTTLE if throttles else FIRST_WITH_ELAPSED_TIME
        self.coupled = number < first

    def sleep(self, ms: DurationMs) -> None:
        """Real time passes while the wall clock stands: a coupled broker notices nothing."""
        if not self.coupled:
            self.let_pass(ms)

    def hold(self, now_ms: TimestampMs) -> None:
        """Move the wall clock."""
        if now_ms == self._now_ms:
            return
        passed = now_ms - self._now_ms if self.coupled else 0
        self._now_ms = now_ms
        if passed > 0:
            self.on_jump(passed)
        self.let_pass(max(0, passed))

    def let_pass(self, ms: DurationMs) -> None:
        """Let time elapse. Every timer that falls due runs, in order, at its own time."""
        end = self._elapsed_ms + ms
        while self.skip_to_next(end):
            pass
        self._elapsed_ms = max(end, self._elapsed_ms)
        self._tick()

    def skip_to_next(self, end_ms: DurationMs) -> bool:
        """Let time elapse until the next timer has run, if there is one that is due at `end_ms` or before."""
        deadlines = [due for x in self._listeners if (due := x.next_deadline_ms()) is not None]
        if not deadlines or min(deadlines) > end_ms:
            return False
        self._elapsed_ms = max(self._elapsed_ms, min(deadlines))
        self._tick()
        return True

    def _tick(self) -> None:
        for listener in tuple(self._listeners):
            listener.tick()
