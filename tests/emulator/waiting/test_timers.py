"""Timers run in order, at their own time, and once."""

from functools import partial

from fakekafka.waiting.timers import BrokerTimers, Timers
from hypothesis import given
from hypothesis import strategies as st


@given(delays=st.lists(st.integers(0, 50), max_size=30), until=st.integers(0, 60))
def test_due_timers_run_in_order(delays: list[int], until: int) -> None:
    timers, ran = Timers(0), list[tuple[int, int]]()
    for n, delay in enumerate(delays):
        timers.after(delay, partial(ran.append, (delay, n)))
    timers.run_due(until)
    assert ran == sorted((delay, n) for n, delay in enumerate(delays) if delay <= until)


def test_a_cancelled_timer_does_not_run() -> None:
    timers, ran = Timers(0), list[str]()
    timer = timers.after(5, lambda: ran.append("cancelled"))
    timers.after(6, lambda: ran.append("kept"))
    timer.cancel()
    timer.cancel()
    assert timers.next_deadline_ms() == 6
    timers.run_due(10)
    assert ran == ["kept"]
    assert timers.next_deadline_ms() is None


def test_a_timer_that_another_one_sets_for_now_runs_too() -> None:
    timers, ran = Timers(0), list[str]()

    def first() -> None:
        ran.append("first")
        timers.after(0, lambda: ran.append("second"))

    timers.after(1, first)
    timers.run_due(1)
    assert ran == ["first", "second"]


def test_periodic_timers_repeat() -> None:
    timers, ran = Timers(0), list[int]()
    timers.every(10, lambda: ran.append(timers.elapsed_ms), first_ms=3)
    for now in range(40):
        timers.run_due(now)
    assert ran == [3, 13, 23, 33]


def test_cleared_timers_do_not_run() -> None:
    timers, ran = Timers(0), list[int]()
    timers.after(1, lambda: ran.append(1))
    timers.clear()
    timers.run_due(5)
    assert ran == []


def test_one_broker_s_timers_end_without_the_others() -> None:
    timers, ran = Timers(0), list[str]()
    gone, stays = BrokerTimers(timers), BrokerTimers(timers)

    def again(name: str) -> bool:
        ran.append(f"{name} again")
        return True

    for name, broker in (("gone", gone), ("stays", stays)):
        broker.after(1, partial(ran.append, name))
        broker.while_busy(2, partial(again, name))
    gone.close()
    assert stays.elapsed_ms == 0
    for now in range(5):
        timers.run_due(now)
    assert ran == ["stays", "stays again", "stays again"]
    assert len(timers.beats) == 1
