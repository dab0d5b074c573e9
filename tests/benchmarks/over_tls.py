"""What TLS costs: records of 1000 bytes through confluent-kafka, into the broker and out again.

Beside this broker without TLS, and beside the peers of `peers.py` with TLS. Each broker has its own process, and all
have one key and certificate. A round has a topic of its own, which is deleted after it; the first round is not counted,
as a JVM has to warm up. With the real broker:

    FAKEKAFKA_REAL_KAFKA=1 python tests/benchmarks/run.py over_tls

On two quiet cores, ours / the other in MB/s, and the median of the ratios (kfake of 2026-09-18):

    produced, beside ours without TLS    66 / 267    0.285        consumed    324 / 310    0.988
    produced, beside kfake               66 / 194    0.418        consumed    324 / 122    2.56
    produced, beside Kafka 3.9.1         66 / 89.4   0.936        consumed    324 / 168    1.82
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from confluent_kafka import TopicPartition
from confluent_kafka.admin import AdminClient

from tests.benchmarks.measuring import Row, compared, in_turns
from tests.benchmarks.peers import serving, there
from tests.benchmarks.sides import OURS, QUIET, Side, broker_cpu_seconds
from tests.golden.tls.stores import minted, named

VALUE: Final = bytes(range(250)) * 4
MANY: Final = 100_000
MEGABYTES: Final = len(VALUE) / 1e6
PLAIN: Final = "ours without TLS"
TLS: Final = {"security.protocol": "SSL", "ssl.endpoint.identification.algorithm": "none"}


class Phase(NamedTuple):
    """What producing, or consuming, took."""

    megabytes_per_s: float
    broker_cpu_s: float


Round = tuple[Phase, Phase]


def over_tls(quick: bool = False) -> list[Row]:
    count, rounds = (MANY // 10, 2) if quick else (MANY, 5)
    topics = [f"tls-records-of-the-benchmark-{n}" for n in range(1 + rounds)]
    with _sides(topics) as sides:
        works = {name: _rounds(side, settings, topics, count) for name, (side, settings) in sides.items()}
        for rounds_of_one in works.values():
            next(rounds_of_one)
        ours, *others = in_turns(rounds, *(partial(next, each) for each in works.values()))
    return [row for name, other in zip(list(works)[1:], others) for row in _rows(name, ours, other)]


Configured = tuple[Side, Mapping[str, str]]


@contextmanager
def _sides(topics: Sequence[str]) -> Iterator[dict[str, Configured]]:
    """The brokers by name, ours with TLS first, each with the settings of its clients."""
    with TemporaryDirectory(prefix="tls-") as folder, ExitStack() as running:
        pem, settings = _certificate(Path(folder))
        sides: dict[str, Configured] = {OURS: (running.enter_context(serving(OURS, topics, pem)), settings)}
        sides[PLAIN] = running.enter_context(serving(OURS, topics)), {}
        for peer in there():
            sides[peer] = running.enter_context(serving(peer, topics, pem)), settings
        yield sides


def _certificate(folder: Path) -> tuple[Path, dict[str, str]]:
    """The file with a key and its certificate, and the settings of clients that trust it."""
    authority = minted(named("CN=authority"), None)
    pem, trusted = folder / "broker.pem", folder / "authority.pem"
    pem.write_bytes(minted(named("CN=broker"), authority).pem)
    trusted.write_bytes(authority.pem)
    return pem, {**TLS, "ssl.ca.location": str(trusted)}


def _rounds(side: Side, settings: Mapping[str, str], topics: Sequence[str], count: int) -> Iterator[Round]:
    """A round in each topic."""
    admin = AdminClient({"bootstrap.servers": side.bootstrap_servers, **QUIET, **settings})
    for topic in topics:
        produced = _phase(side, count, partial(_produce, side, settings, topic, count))
        yield produced, _phase(side, count, partial(_consume, side, settings, topic, count))
        admin.delete_topics([topic])[topic].result(60)


def _phase(side: Side, count: int, action: Callable[[], None]) -> Phase:
    cpu, started = broker_cpu_seconds(side), time.perf_counter()
    action()
    ended = time.perf_counter()
    return Phase(count * MEGABYTES / (ended - started), broker_cpu_seconds(side) - cpu)


def _produce(side: Side, settings: Mapping[str, str], topic: str, count: int) -> None:
    producer = side.producer(linger_ms=5, queue_buffering_max_messages=2 * MANY, **settings)
    for _ in range(count):
        producer.produce(topic, VALUE, partition=0)
    assert producer.flush(120) == 0


def _consume(side: Side, settings: Mapping[str, str], topic: str, count: int) -> None:
    consumer = side.consumer(**settings)
    consumer.assign([TopicPartition(topic, 0, 0)])
    while count:
        count -= len(consumer.consume(min(count, 10_000), timeout=60))
    consumer.close()


def _rows(peer: str, ours: Sequence[Round], theirs: Sequence[Round]) -> Iterator[Row]:
    for n, what in enumerate(("produced", "consumed")):
        mine, other = ([each[n] for each in side] for side in (ours, theirs))
        label = f"{what} over TLS ({peer})"
        yield compared(label, "MB/s", [p.megabytes_per_s for p in mine], [p.megabytes_per_s for p in other])
        yield compared("  CPU, broker", "s", [p.broker_cpu_s for p in mine], [p.broker_cpu_s for p in other])
