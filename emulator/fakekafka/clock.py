"""Time. The only module that reads the system's clocks.

A clock has two readings. `now_ms` is the wall clock: timestamps, retention, expiry of offsets. `elapsed_ms` only ever
grows: timers run on it (sessions, rebalances, waiting fetches), so setting the wall clock back does not disturb them.
`SystemClock` reads both from the system. `ManualClock` stands still until the test moves it.
"""

import time
from collections.abc import Callable
from typing import Final, Protocol

from fakekafka.errors import UsageError
from fakekafka.ids import DurationMs, TimestampMs

A_DAY_MS: Final[DurationMs] = 86_400_000
LATEST_MS: Final = (1 << 63) - 1


class Ticking(Protocol):
    """A listener for the moves of a manual clock: a broker with timers."""

    def next_deadline_ms(self) -> int | None:
        """The earliest `elapsed_ms` at which something is due, or None."""

    def tick(self) -> None:
        """Run everything that is due now. Returns when it has run."""


class Clock(Protocol):
    """What a broker needs from a clock."""

    @property
    def now_ms(self) -> TimestampMs:
        """Wall clock, milliseconds since 1970."""

    @property
    def elapsed_ms(self) -> DurationMs:
        """Milliseconds since some fixed moment; never runs backwards."""

    def attach(self, listener: Ticking) -> None:
        """Notify `listener` whenever the test moves this clock (never, for the system's)."""

    def detach(self, listener: Ticking) -> None:
        """Stop notifying `listener`."""


class SystemClock:
    """The system's time."""

    @property
    def now_ms(self) -> TimestampMs:
        """The system's wall clock, milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    @property
    def elapsed_ms(self) -> DurationMs:
        """Milliseconds since some moment before the process began; setting the system's time does not change it."""
        return time.monotonic_ns() // 1_000_000

    def attach(self, listener: Ticking) -> None:
        """Do nothing: the network loop wakes by itself."""

    def detach(self, listener: Ticking) -> None:
        """Do nothing: no listener is kept."""


def elapsed_ns() -> int:
    """Nanoseconds since some moment, by the system: for dividing time fairly. No behaviour of a broker depends on
    it.
    """
    return time.perf_counter_ns()


def thread_cpu_ns() -> int:
    """CPU time that this thread has used, in nanoseconds: what work costs. No behaviour of a broker depends on it."""
    return time.thread_time_ns()


class ManualClock:
    """A clock that the test owns. One clock may drive several brokers.

    `now_ms`: where it starts; None: at the present, where clients stamp their records. Brokers from 4.0 on refuse
    records from the future (`log.message.timestamp.after.max.ms`), so a clock that starts in the past serves only
    clients whose timestamps the test sets.
    """

    def __init__(self, now_ms: TimestampMs | None = None) -> None:
        self._now_ms: TimestampMs = SystemClock().now_ms if now_ms is None else now_ms
        self._elapsed_ms: DurationMs = 0
        self._listeners: list[Ticking] = []

    @property
    def now_ms(self) -> TimestampMs:
        """Wall clock, milliseconds since 1970: where the test has put it."""
        return self._now_ms

    @property
    def elapsed_ms(self) -> DurationMs:
        """Milliseconds that have passed by `advance`, `run_until` and `set`; never runs backwards."""
        return self._elapsed_ms

    def attach(self, listener: Ticking) -> None:
        """Notify `listener`, a broker with timers, whenever this clock moves."""
        self._listeners.append(listener)

    def detach(self, listener: Ticking) -> None:
        """Stop notifying `listener`; nothing happens if it was not attached."""
        if listener in self._listeners:
            self._listeners.remove(listener)

    def set(self, now_ms: TimestampMs) -> None:
        """Move to `now_ms`. Forwards as in `advance`; backwards only the wall clock moves, and no timer runs."""
        if now_ms >= self._now_ms:
            self.advance(now_ms - self._now_ms)
        else:
            self._now_ms = now_ms

    def advance(self, ms: DurationMs) -> None:
        """Let `ms` milliseconds pass. Every timer that falls due runs, in order, at its own time, before the return."""
        self._check(ms)
        end = self._elapsed_ms + ms
        while (due := self._next_deadline_ms()) is not None and due <= end:
            self._pass(max(0, due - self._elapsed_ms))
        self._pass(end - self._elapsed_ms)

    def run_until(self, predicate: Callable[[], bool], *, within_ms: DurationMs = A_DAY_MS) -> DurationMs:
        """Let time pass, from one timer to the next, until `predicate()` is true; returns how long that took.

        The predicate is called before any time passes, after each timer, and finally when `within_ms` have passed.
        Raises `TimeoutError` if it is still false then, with the clock `within_ms` later.
        """
        return run_until(self, predicate, within_ms)

    def to_next_timer(self, within_ms: DurationMs) -> None:
        """Let time pass until the next timer falls due, which runs, or `within_ms` if none does before."""
        self._check(within_ms)
        due = self._next_deadline_ms()
        self._pass(within_ms if due is None else min(within_ms, max(0, due - self._elapsed_ms)))

    def _check(self, ms: DurationMs) -> None:
        """Raises `UsageError` for a step back, or beyond what 64 bits hold, as Kafka's timestamps do."""
        if ms < 0:
            raise UsageError(f"advance() cannot go back by {-ms} ms: use set()")
        if max(self._now_ms, self._elapsed_ms) + ms > LATEST_MS:
            raise UsageError(f"{ms} ms from now is later than 64 bits of milliseconds can tell")

    def _next_deadline_ms(self) -> DurationMs | None:
        deadlines = [d for x in self._listeners if (d := x.next_deadline_ms()) is not None]
        return min(deadlines, default=None)

    def _pass(self, ms: DurationMs) -> None:
        self._elapsed_ms += ms
        self._now_ms += ms
        for listener in tuple(self._listeners):
            listener.tick()


class Steppable(Protocol):
    """A clock that goes from timer to timer, here or in another process."""

    @property
    def elapsed_ms(self) -> DurationMs:
        """Milliseconds since some fixed moment."""

    def to_next_timer(self, within_ms: DurationMs) -> None:
        """Let time pass until the next timer falls due, at most `within_ms`."""


def run_until(clock: Steppable, predicate: Callable[[], bool], within_ms: DurationMs) -> DurationMs:
    """Step a clock until `predicate()` is true; see `ManualClock.run_until`."""
    start = clock.elapsed_ms
    end = start + within_ms
    while not predicate():
        if clock.elapsed_ms >= end:
            raise TimeoutError(f"{predicate} was not true within {within_ms} ms of the clock")
        clock.to_next_timer(end - clock.elapsed_ms)
    return clock.elapsed_ms - start
