"""What rules of faults cost the requests that they do not match: CPU time, beside a broker that never had any.

The sides take turns with every few requests, so that a busy machine slows all of them alike, and medians count.
"""

import gc
import time
from collections.abc import Callable
from typing import Final

from fakekafka import FakeKafka
from fakekafka.wire.frames import request_frame

from tests.benchmarks.handling import FETCH, PRODUCE, TOPIC, fetch, produce
from tests.benchmarks.measuring import Row, compared, in_turns

AT_MOST: Final = 1.02
CALLS: Final = 20
ROUNDS: Final = 1500
ROUNDS_IF_QUICK: Final = 150


def fault_rules(quick: bool = False) -> list[Row]:
    rounds = ROUNDS_IF_QUICK if quick else ROUNDS
    brokers = {what: _with(begin) for what, begin in SIDES.items()}
    rows = []
    for request, version, size in (("Produce", PRODUCE, 100), ("Fetch", FETCH, 100)):
        sides = [_side(kafka, request, size) for kafka in brokers.values()]
        first, *others = in_turns(rounds, *sides)
        for what, found in zip(list(brokers)[1:], others):
            goal = AT_MOST if what in FREE else None
            rows.append(compared(f"{request} v{version}, {what}", "us CPU", found, first, goal))
    for kafka in brokers.values():
        kafka.stop()
    return rows


def _touched(kafka: FakeKafka) -> None:
    kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER").remove()


FREE: Final = ("no rule any more", "a rule for JoinGroup")
"""The sides that cost nothing measurable. A rule for the same API has to read the request, as deep as its fields go."""
SIDES: Final[dict[str, Callable[[FakeKafka], object]]] = {
    "never any": lambda kafka: None,
    "no rule any more": _touched,
    "a rule for JoinGroup": lambda kafka: kafka.faults.fail("JoinGroup", "NOT_COORDINATOR"),
    "a rule for another topic": lambda kafka: kafka.faults.fail(
        ("Produce", "Fetch"), "NOT_LEADER_OR_FOLLOWER", topic="another"
    ),
    "a rule for another client": lambda kafka: kafka.faults.drop(client_id="another"),
}


def _with(begin: Callable[[FakeKafka], object]) -> FakeKafka:
    kafka = FakeKafka("3.9", topics={TOPIC: 1}).boot()
    begin(kafka)
    return kafka


def _side(kafka: FakeKafka, request: str, size: int) -> Callable[[], float]:
    """CPU microseconds of a request."""
    client, now = kafka.connect(), kafka.clock.now_ms
    if request == "Produce":
        frame = request_frame(produce(size, now), PRODUCE, 1, "bench")
    else:
        client.send(request_frame(produce(size, now), PRODUCE, 1, "bench"))
        frame = request_frame(fetch(len(kafka.records(TOPIC)) - size), FETCH, 1, "bench")

    def run() -> float:
        started = time.thread_time()
        for _ in range(CALLS):
            client.send(frame)
        return (time.thread_time() - started) / CALLS * 1e6

    gc.collect()
    return run
