"""Clocks."""

from typing import Any

from fakekafka import Clock, FakeKafka, ManualClock, SystemClock


def now_ms() -> None:
    assert ManualClock(1_700_000_000_000).now_ms == 1_700_000_000_000
    assert SystemClock().now_ms > 1_700_000_000_000


def elapsed_ms() -> None:
    clock = ManualClock()
    clock.advance(5)
    clock.set(0)  # the wall clock goes back
    assert (clock.now_ms, clock.elapsed_ms) == (0, 5)


def advance() -> None:
    clock = ManualClock()
    with FakeKafka(clock=clock, topics={"orders": 1}, config={"log.retention.ms": 60_000}) as kafka:
        kafka.send("orders", b"two apples")
        clock.advance(600_000)  # the check for retention has run when this returns
        assert kafka.records("orders") == []


def set() -> None:
    clock = ManualClock()
    clock.set(1_700_000_000_000)
    assert clock.now_ms == 1_700_000_000_000


def run_until() -> None:
    clock = ManualClock()
    with FakeKafka(clock=clock, topics={"orders": 1}, config={"log.retention.ms": 60_000}) as kafka:
        kafka.send("orders", b"two apples")
        took_ms = clock.run_until(lambda: not kafka.records("orders"), within_ms=3_600_000)
        assert took_ms > 60_000


def to_next_timer() -> None:
    clock = ManualClock()
    with FakeKafka(clock=clock, topics={"orders": 1}, config={"log.retention.ms": 60_000}) as kafka:
        kafka.send("orders", b"two apples")
        while kafka.records("orders"):
            clock.to_next_timer(within_ms=3_600_000)  # whatever the broker does next
    assert clock.elapsed_ms > 60_000


def attach() -> None:
    class Half:  # a clock of your own has the four members of `Clock`; brokers attach themselves to it
        def __init__(self, other: Clock) -> None:
            self.other = other

        @property
        def now_ms(self) -> int:
            return self.other.now_ms // 2

        @property
        def elapsed_ms(self) -> int:
            return self.other.elapsed_ms // 2

        def attach(self, listener: Any) -> None:
            self.other.attach(listener)

        def detach(self, listener: Any) -> None:
            self.other.detach(listener)

    with FakeKafka(clock=Half(ManualClock(2_000)), topics={"orders": 1}) as kafka:
        kafka.send("orders", b"two apples")
        assert kafka.records("orders")[0].timestamp == 1_000


def detach() -> None:
    clock = ManualClock()
    FakeKafka(clock=clock).start().stop()
    clock.advance(60_000)  # the broker detached itself when it stopped: nothing runs any more
    assert clock.elapsed_ms == 60_000
