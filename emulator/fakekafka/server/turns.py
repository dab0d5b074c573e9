"""Fair scheduling: connections with something to do take turns, and the one that has had the least time goes first.

A turn does one thing of bounded size for one connection: handle one request, or make and send a part of an answer.
The time of a turn is charged to the connection, and earlier charges are halved after each period, also while it waits.
So a new client is served before those that keep the broker busy, and none waits for ever. Of those that have had no
turn at all, the newest goes first, so that a crowd of demanding clients does not keep the next one waiting.
"""

import heapq
from collections.abc import Callable
from typing import Final, Protocol

PERIOD_NS: Final = 1_000_000_000
"""After this time, a connection's charge is halved."""


class Turn(Protocol):
    """Something that takes turns."""

    used_ns: int
    """The charged time that still counts; 0 at first."""
    period: int
    """The period for which `used_ns` is valid."""
    is_due: bool
    """Whether it is in the queue; False at first."""

    def take_turn(self) -> bool:
        """Do one thing. Returns whether there is more to do."""


class Turns:
    """The queue. `clock`: nanoseconds since some fixed moment."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._heap: list[tuple[int, int, Turn]] = []
        self._count = 0
        self._period = 0

    def __bool__(self) -> bool:
        return bool(self._heap)

    def add(self, one: Turn) -> None:
        """Add `one`, which has something to do; adding it twice does nothing."""
        if not one.is_due:
            one.is_due = True
            self._count += 1
            if one.period != self._period:
                _age(one, self._period)
            place = self._count if one.used_ns else -self._count
            heapq.heappush(self._heap, (one.used_ns, place, one))

    def run(self, budget_ns: int) -> None:
        """Give turns until there is nothing to do or the time is used up: at least one, if one is due."""
        clock, heap = self._clock, self._heap
        before = started = clock()
        if before // PERIOD_NS != self._period:
            self._begin(before // PERIOD_NS)
        while heap and before - started < budget_ns:
            one = heapq.heappop(heap)[2]
            one.is_due = False
            goes_on = one.take_turn()
            after = clock()
            period = after // PERIOD_NS
            if period != one.period:
                _age(one, period)
            one.used_ns += after - before
            if period != self._period:
                self._begin(period)
            if goes_on:
                self.add(one)
            before = after

    def _begin(self, period: int) -> None:
        """A new period has begun: halve the charges of those that wait."""
        self._period = period
        for _, _, one in self._heap:
            _age(one, period)
        self._heap[:] = [(one.used_ns, place, one) for _, place, one in self._heap]
        heapq.heapify(self._heap)


def _age(one: Turn, period: int) -> None:
    """Halve what was charged before `period`, once for each period that has passed."""
    one.used_ns >>= min(62, period - one.period)
    one.period = period
