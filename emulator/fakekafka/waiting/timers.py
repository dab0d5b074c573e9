"""Deadlines on the broker's elapsed time. The caller of `run_due` owns the time; nothing here reads a clock."""

import heapq
from collections.abc import Callable, Collection

from fakekafka.ids import DurationMs


class Timer:
    """One deadline. `cancel()` forgets it; cancelling twice, or after it ran, does nothing."""

    __slots__ = ("action", "due_ms")

    def __init__(self, due_ms: DurationMs, action: Callable[[], None]) -> None:
        self.due_ms = due_ms
        self.action: Callable[[], None] | None = action

    def cancel(self) -> None:
        self.action = None


class Beat:
    """A task of the broker's own that recurs, as on a ScheduledThreadPoolExecutor at a fixed rate."""

    __slots__ = ("action", "due_ms", "number", "period_ms")

    def __init__(self, number: int, due_ms: DurationMs, period_ms: DurationMs, action: Callable[[], bool]) -> None:
        self.number = number
        """Of tasks that are due at the same time, the one that began first runs first, whether it has slept or not."""
        self.due_ms = due_ms
        self.period_ms = max(1, period_ms)
        self.action = action

    def move_behind(self, elapsed_ms: DurationMs) -> None:
        """Move to the first time after `elapsed_ms` that is a whole number of periods away."""
        missed = elapsed_ms - self.due_ms
        if missed >= 0:
            self.due_ms += (missed // self.period_ms + 1) * self.period_ms


class BrokerTimers:
    """The deadlines of one broker among those of its cluster: `close` forgets these and no others."""

    def __init__(self, timers: "Timers") -> None:
        self._timers = timers
        self._is_open = True
        self._beats: list[Beat] = []

    @property
    def elapsed_ms(self) -> DurationMs:
        """The time of the last step; delays count from here."""
        return self._timers.elapsed_ms

    def after(self, delay_ms: DurationMs, action: Callable[[], None]) -> Timer:
        """As `Timers.after`."""

        def run() -> None:
            if self._is_open:
                action()

        return self._timers.after(delay_ms, run)

    def while_busy(self, period_ms: DurationMs, action: Callable[[], bool], first_ms: DurationMs | None = None) -> None:
        """As `Timers.while_busy`."""
        self._beats.append(self._timers.while_busy(period_ms, action, first_ms))

    def close(self) -> None:
        """The broker has stopped."""
        self._is_open = False
        self._timers.end(self._beats)


class Timers:
    """A heap of deadlines. Equal deadlines run in the order in which they were set; that of a recurring task counts as
    set when it began.
    """

    def __init__(self, elapsed_ms: DurationMs) -> None:
        self.elapsed_ms = elapsed_ms
        """The time of the last step; delays count from here."""
        self._heap: list[tuple[DurationMs, int, Timer]] = []
        self._count = 0
        self.beats: list[Beat] = []
        """The recurring tasks of `while_busy`. Raising the `due_ms` of a task delays it."""
        self._asleep: list[Beat] = []

    def after(self, delay_ms: DurationMs, action: Callable[[], None]) -> Timer:
        """Run `action` after another `delay_ms`."""

        def run() -> None:
            self.wake_up()  # the action may be what a sleeping task is waiting for
            action()

        return self._at(self.elapsed_ms + max(0, delay_ms), run)

    def every(self, period_ms: DurationMs, action: Callable[[], None], first_ms: DurationMs | None = None) -> None:
        """Run `action` again and again: first after `first_ms` (default: one period), then each `period_ms`."""

        def again() -> None:
            self.after(period_ms, again)
            action()

        self.after(period_ms if first_ms is None else first_ms, again)

    def while_busy(self, period_ms: DurationMs, action: Callable[[], bool], first_ms: DurationMs | None = None) -> Beat:
        """As `every`, while `action` says that there may be more to do. Then it sleeps until `wake_up`, and continues
        at the time at which it would have been due: nothing is lost, and days pass quickly on an idle broker.
        """
        first = period_ms if first_ms is None else first_ms
        self._count += 1
        beat = Beat(self._count, self.elapsed_ms + max(0, first), period_ms, action)
        self.beats.append(beat)
        self._schedule(beat)
        return beat

    def end(self, beats: Collection[Beat]) -> None:
        """Stop running these tasks."""
        self.beats = [beat for beat in self.beats if beat not in beats]
        self._asleep = [beat for beat in self._asleep if beat not in beats]

    def wake_up(self) -> None:
        """Something has happened, or is about to: tasks that slept are due again."""
        if self._asleep:
            beats, self._asleep = self._asleep, []
            for beat in beats:
                beat.move_behind(self.elapsed_ms)
                self._schedule(beat)

    def next_deadline_ms(self) -> DurationMs | None:
        """When the next deadline is due."""
        while self._heap and self._heap[0][2].action is None:
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def run_due(self, elapsed_ms: DurationMs) -> None:
        """Run everything due at `elapsed_ms` or before, in order. Deadlines that these actions set for now or earlier
        run too.
        """
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
        self.beats.clear()
        self._asleep.clear()

    def _at(self, due_ms: DurationMs, action: Callable[[], None]) -> Timer:
        timer = Timer(due_ms, action)
        self._count += 1
        heapq.heappush(self._heap, (due_ms, self._count, timer))
        return timer

    def _schedule(self, beat: Beat) -> None:
        heapq.heappush(self._heap, (beat.due_ms, beat.number, Timer(beat.due_ms, lambda: self._run(beat))))

    def _run(self, beat: Beat) -> None:
        if beat not in self.beats:
            return
        if beat.due_ms > self.elapsed_ms:  # it was moved
            self._schedule(beat)
            return
        beat.move_behind(self.elapsed_ms)
        if beat.action():
            self._schedule(beat)
        else:
            self._asleep.append(beat)
