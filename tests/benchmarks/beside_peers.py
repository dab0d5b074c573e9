"""Ours beside kfake and a real broker: each in a separate process, with the same clients, taking turns.

Bulk loads begin when the broker has answered its first requests and each producer has sent records. What ours loads for
its first requests, and what a JVM compiles, is a tenth of a second and more; and librdkafka may wait two tenths before
it connects, depending on how soon the first Metadata comes, while records gather in large batches. Either would be most
of what a short load takes. `first_record` shows the former by itself.

`make bench` prints these figures among others. `peers.py` says which peers there are; without any, they are left out.
With `--latency`, only how long a record is on its way is measured, which takes seconds. Ours has the form that the
measuring Python has: with that of `tox -e compiled`, it is the compiled core.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Final, NamedTuple

from confluent_kafka import KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic
from fakekafka import FakeKafka
from fakekafka.compiled import is_compiled

from tests.benchmarks.bulk import FIRST_TOPIC, TOPICS, consume, get_warm
from tests.benchmarks.group_first_record import TOPIC as GROUP_TOPIC
from tests.benchmarks.group_first_record import fill, join_ms
from tests.benchmarks.kafka_on_a_jvm import REAL
from tests.benchmarks.measuring import Row, compared, in_turns, milliseconds, print_rows
from tests.benchmarks.peers import KFAKE, serving, there
from tests.benchmarks.produce_to_poll import TOPIC, on_its_way, waiting
from tests.benchmarks.sides import OURS, PARTITIONS, QUIET, Side, broker_cpu_seconds, broker_memory_mib

MANY_BYTES: Final = 20_000_000
"""The bytes of values that one round of bulk produces."""
MANY_TOPICS: Final = 1000
MANY_GROUPS: Final = 100
Measured = dict[str, tuple[str, float]]
"""Units and values by name, in the order of the table."""


class Load(NamedTuple):
    """A kind of bulk production."""

    producers: int
    size: int
    codec: str
    acks: str

    def __str__(self) -> str:
        size = f"{self.size} B" if self.size < 1000 else f"{self.size // 1000} kB"
        codec = "" if self.codec == "none" else f", {self.codec}"
        return f"produce {size}{codec}, acks {self.acks}, {self.producers} producer{'s' * (self.producers > 1)}"


LOADS: Final = [Load(*each) for each in product((1, 8), (100, 10_000), ("none", "lz4"), ("1", "all"))]
FEWER: Final = [LOADS[0], LOADS[-1]]


class Goal(NamedTuple):
    """A bound on the ratio of ours to kfake's."""

    at_most: float | None = None
    at_least: float | None = None


GOALS: Final = {
    **{str(load): Goal(at_least=1) for load in LOADS},
    "  CPU, broker": Goal(at_most=0.8),
    "  consume": Goal(at_least=1.2),
    "  consume: CPU, broker": Goal(at_most=0.7),
    "group's first record": Goal(at_most=1),
    "start and stop, ours in a thread": Goal(at_most=0.2),
    "produce to poll": Goal(at_most=1 if is_compiled() else 1.2),
}
"""The goals by what is measured. None is about a JVM, which is slower in everything but long loads."""


def latency(quick: bool = False) -> list[Row]:
    """How long a record is on its way, beside each peer."""
    return [_produce_to_poll(peer, 100 if quick else 1000) for peer in there()]


def beside_peers(quick: bool = False) -> list[Row]:
    """The rows beside each peer; empty if there is no peer."""
    rounds, loads = (3, FEWER) if quick else (5, LOADS)
    return [row for peer in there() for row in _rows(peer, rounds, loads, quick)]


def _rows(peer: str, rounds: int, loads: Sequence[Load], quick: bool) -> Iterator[Row]:
    works: list[tuple[int, Callable[[str], Measured]]] = [
        *((rounds, partial(_bulk, load, MANY_BYTES // (10 if quick else 1))) for load in loads),
        (rounds, _group),
        (rounds, _many_topics),
        (rounds, _many_groups),
    ]
    if peer != REAL:  # the real broker takes seconds to start, and is not emptied
        works += [(2 * rounds, work) for work in (_start_and_stop, _start_and_stop_in_a_thread, _reset)]
    for count, work in works:
        yield from _compared(peer, in_turns(count, partial(work, OURS), partial(work, peer)))
    yield _produce_to_poll(peer, 10 if quick else 100)


def _compared(peer: str, sides: Sequence[Sequence[Measured]]) -> Iterator[Row]:
    """A row for each quantity that was measured."""
    for name, (unit, _) in sides[0][0].items():
        ours, theirs = ([found[name][1] for found in side] for side in sides)
        yield _row(peer, name, unit, ours, theirs)


def _row(peer: str, name: str, unit: str, ours: Sequence[float], theirs: Sequence[float]) -> Row:
    goal = GOALS.get(name, Goal()) if peer == KFAKE else Goal()
    return compared(f"{name} ({peer})" if not name.startswith("  ") else name, unit, ours, theirs, *goal)


def _bulk(load: Load, size: int, name: str) -> Measured:
    count = size // load.size
    with serving(name, [*TOPICS, FIRST_TOPIC]) as side:
        producers = [_producer(load, side, count) for _ in range(load.producers)]
        get_warm(side, *producers)
        before = broker_memory_mib(side)
        found: Measured = {}
        for what, action in ((str(load), partial(_produce, load, producers)), ("  consume", consume)):
            cpu = broker_cpu_seconds(side)
            ms = milliseconds(partial(action, side, count))
            found[what] = ("k/s", count / ms)
            found[f"{what}: CPU, broker" if what[0] == " " else "  CPU, broker"] = "s", broker_cpu_seconds(side) - cpu
        return found | {"  memory, broker": ("MiB", broker_memory_mib(side) - before)}


def _producer(load: Load, side: Side, count: int) -> Producer:
    settings: dict[str, str | int] = {"compression_type": load.codec, "acks": load.acks}
    return side.producer(**settings, queue_buffering_max_messages=count, queue_buffering_max_kbytes=1 << 20)


def _produce(load: Load, producers: Sequence[Producer], _: Side, count: int) -> None:
    value = os.urandom(load.size // 2) + bytes(load.size - load.size // 2)
    for n in range(count):
        producer = producers[n % load.producers]
        producer.produce(TOPICS[n & 7], value, partition=n >> 3 & PARTITIONS - 1)
        if not n & 0xFFF:
            producer.poll(0)
    assert [producer.flush(60) for producer in producers] == [0] * load.producers


def _produce_to_poll(peer: str, rounds: int) -> Row:
    with serving(OURS, [TOPIC]) as ours, serving(peer, [TOPIC]) as theirs:
        clients = [(side.producer(linger_ms=0), waiting(side.consumer())) for side in (ours, theirs)]
        for pair in clients:
            on_its_way(*pair)
        times = in_turns(rounds, *(partial(milliseconds, partial(on_its_way, *pair)) for pair in clients))
        for _, consumer in clients:
            consumer.close()
    return _row(peer, "produce to poll", "ms", times[0], times[1])


def _group(name: str) -> Measured:
    with serving(name, [GROUP_TOPIC]) as side:
        fill(side)
        join_ms(side)  # from here on there is a coordinator
        return {"group's first record": ("ms", join_ms(side))}


def _many_topics(name: str) -> Measured:
    with serving(name, ["t"]) as side:
        admin = AdminClient({"bootstrap.servers": side.bootstrap_servers, **QUIET})
        admin.list_topics(timeout=10)
        wanted = [NewTopic(f"t{n}", PARTITIONS, 1) for n in range(MANY_TOPICS)]
        made = milliseconds(lambda: [each.result(60) for each in admin.create_topics(wanted).values()])
        listed = milliseconds(lambda: admin.list_topics(timeout=30))
        memory = broker_memory_mib(side)
    return {
        f"{MANY_TOPICS} topics created": ("ms", made),
        "  listed": ("ms", listed),
        "  memory, broker": ("MiB", memory),
    }


def _many_groups(name: str) -> Measured:
    def commit(side: Side, count: int) -> None:
        for n in range(count):
            consumer = side.consumer(group_id=f"g{count}-{n}")
            consumer.commit(offsets=[TopicPartition("t", 0, n)], asynchronous=False)
            consumer.close()

    with serving(name, ["t"]) as side:
        _until_coordinated(partial(commit, side, 1))
        cpu = broker_cpu_seconds(side)
        ms = milliseconds(partial(commit, side, MANY_GROUPS))
        cpu = broker_cpu_seconds(side) - cpu
        return {f"{MANY_GROUPS} groups commit": ("ms", ms), "  CPU, broker, of all": ("s", cpu)}


def _until_coordinated(first_commit: Callable[[], None]) -> None:
    """Wait for the first commit: a real broker takes a moment to coordinate its first group."""
    for _ in range(100):
        try:
            return first_commit()
        except KafkaException:
            time.sleep(0.1)
    raise TimeoutError("no group is coordinated")


def _start_and_stop(name: str) -> Measured:
    def once() -> None:
        with serving(name, ["t"]):
            pass

    return {"start and stop, a process of its own": ("ms", milliseconds(once))}


def _start_and_stop_in_a_thread(name: str) -> Measured:
    """Start and stop a broker as a test does; peers need their own process."""
    if name != OURS:
        return {"start and stop, ours in a thread": _start_and_stop(name).popitem()[1]}
    return {"start and stop, ours in a thread": ("ms", milliseconds(lambda: FakeKafka(topics={"t": 1}).start().stop()))}


def _reset(name: str) -> Measured:
    """Empty a broker between two tests; peers are started again instead."""
    if name != OURS:
        return {"reset, or start and stop": _start_and_stop(name).popitem()[1]}
    with FakeKafka(topics={"t": PARTITIONS}) as kafka:
        kafka.send("t", b"v")
        return {"reset, or start and stop": ("ms", milliseconds(kafka.reset))}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser("beside_peers", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--latency", action="store_true", help="only from produce to poll")
    options = parser.parse_args(arguments)
    print_rows("beside peers", (latency if options.latency else beside_peers)(options.quick))


if __name__ == "__main__":
    main(sys.argv[1:])
