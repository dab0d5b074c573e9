"""Clocks: what moves, what stands still, and which listeners are called."""

from collections.abc import Callable

import pytest
from fakekafka import FakeKafka
from fakekafka.clock import LATEST_MS, Clock, ManualClock, SystemClock, thread_cpu_ns
from fakekafka.errors import UsageError
from kafka import KafkaProducer


class Alarms:
    """An alarm that is due at some moments, and notes the readings at which it ran."""

    def __init__(self, clock: Clock, *due_ms: int) -> None:
        self.clock = clock
        self.due = sorted(due_ms)
        self.ran: list[tuple[int, int]] = []
        self.ticks = 0

    def next_deadline_ms(self) -> int | None:
        return self.due[0] if self.due else None

    def tick(self) -> None:
        self.ticks += 1
        while self.due and self.due[0] <= self.clock.elapsed_ms:
            self.ran.append((self.due.pop(0), self.clock.now_ms))


def test_the_system_s_clock_moves() -> None:
    clock = SystemClock()
    wall, elapsed = clock.now_ms, clock.elapsed_ms
    assert clock.now_ms >= wall > 1_600_000_000_000
    assert clock.elapsed_ms >= elapsed


def test_a_manual_clock_stands_where_it_was_put() -> None:
    clock = ManualClock(1_000)
    assert (clock.now_ms, clock.elapsed_ms) == (1_000, 0)
    clock.advance(5)
    assert (clock.now_ms, clock.elapsed_ms) == (1_005, 5)


def test_everything_due_runs_in_order_at_its_own_time() -> None:
    clock = ManualClock(1_000)
    first, second = Alarms(clock, 30, 10), Alarms(clock, 20, 99)
    clock.attach(first)
    clock.attach(second)
    clock.advance(50)
    assert first.ran == [(10, 1_010), (30, 1_030)]
    assert second.ran == [(20, 1_020)]
    assert clock.now_ms == 1_050


def test_overdue_alarms_run_without_time_going_back() -> None:
    clock = ManualClock(1_000)
    clock.advance(40)
    late = Alarms(clock, 10)
    clock.attach(late)
    clock.advance(0)
    assert late.ran == [(10, 1_040)]


def test_an_alarm_may_set_another() -> None:
    clock = ManualClock(0)

    class Chain(Alarms):
        def tick(self) -> None:
            before = len(self.ran)
            super().tick()
            if len(self.ran) > before and len(self.ran) < 3:
                self.due.append(self.clock.elapsed_ms + 10)

    chain = Chain(clock, 10)
    clock.attach(chain)
    clock.advance(100)
    assert [due for due, _ in chain.ran] == [10, 20, 30]


def test_setting_the_clock_forwards_lets_time_pass_and_backwards_moves_the_wall_clock_only() -> None:
    clock = ManualClock(1_000)
    alarms = Alarms(clock, 500)
    clock.attach(alarms)
    clock.set(400)
    assert (clock.now_ms, clock.elapsed_ms, alarms.ticks) == (400, 0, 0)
    clock.set(900)
    assert (clock.now_ms, clock.elapsed_ms) == (900, 500)
    assert alarms.ran == [(500, 900)]


def test_a_detached_listener_hears_nothing() -> None:
    clock = ManualClock()
    alarms = Alarms(clock, 1)
    clock.attach(alarms)
    clock.detach(alarms)
    clock.detach(alarms)
    clock.advance(5)
    assert alarms.ticks == 0


def test_time_does_not_go_back_by_advancing() -> None:
    with pytest.raises(UsageError, match=r"advance\(\) cannot go back by 1 ms: use set\(\)"):
        ManualClock().advance(-1)


@pytest.mark.parametrize("step", [ManualClock.advance, ManualClock.to_next_timer])
def test_time_ends_where_timestamps_of_kafka_end(step: Callable[[ManualClock, int], None]) -> None:
    clock = ManualClock(0)
    clock.set(LATEST_MS)
    clock.set(0)
    with pytest.raises(UsageError, match="5 ms from now is later than 64 bits"):
        step(clock, 5)
    assert (clock.now_ms, clock.elapsed_ms) == (0, LATEST_MS)


def test_cpu_time_grows_with_work() -> None:
    before = thread_cpu_ns()
    assert sum(range(200_000)) > 0
    assert thread_cpu_ns() > before


def test_a_manual_clock_starts_at_the_present() -> None:
    before = SystemClock().now_ms
    clock = ManualClock()
    assert before <= clock.now_ms <= SystemClock().now_ms
    assert clock.elapsed_ms == 0


def test_the_newest_broker_takes_a_record_stamped_now_at_a_manual_clock_s_present() -> None:
    with FakeKafka(clock=ManualClock(), topics={"orders": 1}) as kafka:
        producer = KafkaProducer(**kafka.client_config("kafka-python"))
        assert producer.send("orders", b"two apples").get(timeout=20).offset == 0
        producer.close()


def test_run_until_goes_from_timer_to_timer_until_the_predicate_is_true() -> None:
    clock = ManualClock(0)
    alarms = Alarms(clock, 10, 25, 40)
    clock.attach(alarms)
    assert clock.run_until(lambda: len(alarms.ran) == 2) == 25
    assert alarms.ran == [(10, 10), (25, 25)]
    assert clock.run_until(lambda: True) == 0


def test_run_until_stops_at_its_limit() -> None:
    clock = ManualClock(0)
    alarms = Alarms(clock, 10, 5_000)
    clock.attach(alarms)
    with pytest.raises(TimeoutError, match="not true within 100 ms"):
        clock.run_until(lambda: False, within_ms=100)
    assert (clock.elapsed_ms, alarms.ran) == (100, [(10, 10)])


def test_run_until_asks_once_more_when_nothing_is_due() -> None:
    clock = ManualClock(0)
    assert clock.run_until(lambda: clock.now_ms == 70, within_ms=70) == 70
