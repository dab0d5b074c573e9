"""Waiting in a thread: `watching/waits.py`, by the methods of `FakeKafka`."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from fakekafka import FakeKafka, ManualClock, UsageError


@contextmanager
def meanwhile(action: Callable[[], object], when: Callable[[], object]) -> Iterator[None]:
    """Run `action` in another thread, after `when`."""
    thread = threading.Thread(target=lambda: (when(), action()))
    thread.start()
    yield
    thread.join()


def watched(kafka: FakeKafka) -> Callable[[], None]:
    """Return as soon as somebody waits."""

    def wait() -> None:
        while not kafka._runtime.call(lambda: bool(kafka._runtime._server._watchers)):  # type: ignore[union-attr]
            pass

    return wait


def test_a_wait_ends_when_what_it_waits_for_happens() -> None:
    with (
        FakeKafka("2.3", topics={"orders": 1}) as kafka,
        meanwhile(lambda: kafka.send("orders", b"1"), watched(kafka)),
    ):
        assert [record.value for record in kafka.wait_for_records("orders", 1, timeout=20)] == [b"1"]


def test_a_wait_that_fails_says_what_there_is_instead() -> None:
    with FakeKafka("2.3", topics={"orders": 1}) as kafka:
        kafka.send("orders", b"1")
        with pytest.raises(TimeoutError, match=r"^not within 0 s: orders has 1 of 2 records: orders-0 at 0: b'1'$"):
            kafka.wait_for_records("orders", 2, timeout=0)


def test_a_wait_under_a_manual_clock_says_that_time_stands() -> None:
    with (
        FakeKafka("2.3", topics={"orders": 1}, clock=ManualClock()) as kafka,
        pytest.raises(TimeoutError, match=r"the clock is a ManualClock and moves by advance\(\) only"),
    ):
        kafka.wait_for_records("orders", 2, timeout=0)


def test_a_manual_clock_that_moves_wakes_a_wait() -> None:
    clock = ManualClock()
    with FakeKafka("2.3", topics={"orders": 1}, clock=clock) as kafka:
        clock_moves = meanwhile(lambda: clock.advance(60_000), watched(kafka))
        due = clock.elapsed_ms + 60_000
        with clock_moves:
            found = kafka._runtime.wait_until(lambda: clock.elapsed_ms >= due, 20)
        assert found


def test_a_broker_without_sockets_is_checked_once() -> None:
    kafka = FakeKafka("2.3", topics={"orders": 1}).boot()
    kafka.send("orders", b"1")
    assert len(kafka.wait_for_records("orders", 1)) == 1
    with pytest.raises(TimeoutError):
        kafka.wait_for_records("orders", 2, timeout=60)


def test_a_stopped_broker_ends_a_wait_with_an_error() -> None:
    kafka = FakeKafka("2.3", topics={"orders": 1}).start()
    with meanwhile(kafka.stop, watched(kafka)), pytest.raises(UsageError, match="was stopped"):
        kafka.wait_for_records("orders", 1, timeout=20)


def test_a_wait_before_the_start_is_refused() -> None:
    with pytest.raises(UsageError, match="not started"):
        FakeKafka("2.3").wait_for_records("orders", 1)
