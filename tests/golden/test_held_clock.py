"""The clock of a replay."""

from fakekafka.clock import Clock

from tests.golden.held_clock import HeldClock


class Timers:
    """Deadlines, and when each of them ran: (deadline, elapsed, wall)."""

    def __init__(self, clock: HeldClock, *deadlines: int) -> None:
        self._clock = clock
        self._left = sorted(deadlines)
        self.ran: list[tuple[int, int, int]] = []
        clock.attach(self)

    def next_deadline_ms(self) -> int | None:
        return self._left[0] if self._left else None

    def tick(self) -> None:
        while self._left and self._left[0] <= self._clock.elapsed_ms:
            self.ran.append((self._left.pop(0), self._clock.elapsed_ms, self._clock.now_ms))


def test_a_held_clock_is_a_clock() -> None:
    clock: Clock = HeldClock(5)
    assert (clock.now_ms, clock.elapsed_ms) == (5, 0)


def test_elapsed_time_leaves_the_wall_clock_alone_and_runs_timers_at_their_time() -> None:
    clock = HeldClock(1000)
    timers = Timers(clock, 10, 30, 99)
    clock.let_pass(50)
    assert (clock.now_ms, clock.elapsed_ms) == (1000, 50)
    assert timers.ran == [(10, 10, 1000), (30, 30, 1000)]


def test_holding_another_time_lets_no_time_elapse() -> None:
    clock = HeldClock(1000)
    timers = Timers(clock, 10)
    clock.hold(9000)
    assert (clock.now_ms, clock.elapsed_ms, timers.ran) == (9000, 0, [])


def test_up_to_0_10_0_moving_the_wall_clock_ahead_lets_time_elapse() -> None:
    clock = HeldClock(1000)
    clock.couple("0.10.0.1")
    timers = Timers(clock, 10, 70)
    clock.hold(1050)
    assert (clock.elapsed_ms, timers.ran) == (50, [(10, 10, 1050)])
    clock.hold(500)
    assert (clock.now_ms, clock.elapsed_ms) == (500, 50)


def test_from_0_10_1_on_moving_the_wall_clock_lets_no_time_elapse() -> None:
    clock = HeldClock(1000)
    clock.couple("0.9.0.1")
    clock.couple("0.10.1.1")
    clock.hold(1050)
    assert clock.elapsed_ms == 0


def test_skipping_stops_at_the_next_timer() -> None:
    clock = HeldClock(0)
    timers = Timers(clock, 10, 30)
    assert clock.skip_to_next(29)
    assert clock.elapsed_ms == 10
    assert not clock.skip_to_next(29)
    assert clock.elapsed_ms == 10
    assert clock.skip_to_next(30)
    assert not clock.skip_to_next(10_000)
    assert [deadline for deadline, *_ in timers.ran] == [10, 30]


def test_detached_listeners_are_forgotten() -> None:
    clock = HeldClock(0)
    timers = Timers(clock, 10)
    clock.detach(timers)
    clock.detach(timers)
    clock.let_pass(20)
    assert timers.ran == []
