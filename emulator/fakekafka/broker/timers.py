"""Deadlines on the broker's elapsed time. Who calls `run_due` owns the time; nothing here reads a clock."""

import heapq
from collections.abc import Callable

from fakekafka.ids import DurationMs


class Timer:
    """One deadline. `cancel()` forgets it; cancelling twice, or after it ran, does nothing."""

    __slots__ = ("action", "due_ms")

    def __init__(self, due_ms: DurationMs, action: Callable[[], None]) -> None:
        self.due_ms = due_ms
        self.action: Callable[[], None] | None = action

    def cancel(self) -> None:
        self.action = None


class Timers:
    """A heap of deadlines. Equal deadlines run in the order in which they were set."""

    def __init__(self, elapsed_ms: DurationMs) -> None:
        self.elapsed_ms = elapsed_ms
        """The time of the last step; delays count from here."""
        self._heap: list[tuple[DurationMs, int, Timer]] = []
        self._count = 0

    def after(self, delay_ms: DurationMs, action: Callable[[], None]) -> Timer:
        """Run `action` when `delay_ms` more have passed."""
        timer = Timer(self.elapsed_ms + max(0, delay_ms), action)
        self._count += 1
        heapq.heappush(self._heap, (timer.due_ms, self._count, timer))
        return timer

    def every(self, period_ms: DurationMs, action: Callable[[], None], first_ms: DurationMs | None = None) -> None:
        """Run `action` again and again: first after `first_ms` (default: one period), then each `period_ms`."""

        def again() -> None:
            self.after(period_ms, again)
            action()

        self.after(period_ms if first_ms is None else first_ms, again)

    def next_deadline_ms(self) -> DurationMs | None:
        """When something is due next."""
        while self._heap and self._heap[0][2].action is None:
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def run_due(self, elapsed_ms: DurationMs) -> None:
        """Run everything due at `elapsed_ms` or before, in order. What it sets for no later than now runs too."""
        self.elapsed_ms = max(self.elapsed_ms, elapsed_ms)
        while (due := self.next_deadline_ms()) is not None and due <= self.elapsed_ms:
            timer = heapq.heappop(self._heap)[2]
            action, timer.action = timer.action, None
            if action is not None:
                action()

    def clear(self) -> None:
        """Forget every deadline."""
        for _, _, timer in self._heap:
            timer.cancel()
        self._heap.clear()
