"""What a test that computes in another thread does to the broker, and what `sys.setswitchinterval` does about it.

One thread runs Python code at a time. When the broker's thread has something to do, a thread that computes gives way
only after the switch interval, 5 ms by default; and the broker's thread has to ask again after every system call, a few
times for each round trip. A shorter interval makes the other thread give way sooner, and costs it a little.
"""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tests.benchmarks.measuring import Row, alone, milliseconds
from tests.benchmarks.produce_to_poll import TOPIC, on_its_way, waiting
from tests.benchmarks.sides import OURS, serving

INTERVALS_MS: Final = (5.0, 0.5, 0.1)


def switch_interval(quick: bool = False) -> list[Row]:
    rounds = 10 if quick else 50
    with serving(OURS, [TOPIC]) as side:
        producer, consumer = side.producer(linger_ms=0), waiting(side.consumer())

        def times() -> list[float]:
            return [milliseconds(lambda: on_its_way(producer, consumer)) for _ in range(rounds)]

        rows = [alone("produce to poll", "ms", times())]
        for interval_ms in INTERVALS_MS:
            with computing(interval_ms) as steps:
                row = alone(f"  beside a thread that computes, at {interval_ms} ms", "ms", times())
            rows += [row, alone("    million steps of that thread a second", "", steps)]
        consumer.close()
    return rows


@contextmanager
def computing(interval_ms: float) -> Iterator[list[float]]:
    """A thread that computes all the time, at this switch interval. Yields the list that will hold its speed."""
    usual, stopped, speed = sys.getswitchinterval(), threading.Event(), list[float]()

    def compute() -> None:
        steps, started = 0, time.perf_counter()
        while not stopped.is_set():
            for _ in range(10_000):
                pass
            steps += 10_000
        speed.append(steps / (time.perf_counter() - started) / 1e6)

    thread = threading.Thread(target=compute)
    sys.setswitchinterval(interval_ms / 1000)
    thread.start()
    try:
        yield speed
    finally:
        stopped.set()
        thread.join()
        sys.setswitchinterval(usual)
