"""The brokers that a test may have: this one, librdkafka's mock, kfake, Kafka itself on its JVM, and in a container.

Each is started as its users start it, or says why it cannot be if something is missing on this machine.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from importlib.util import find_spec
from typing import Final, NamedTuple

from fakekafka import FakeKafka

from tests.benchmarks import kafka_on_a_jvm, peers
from tests.benchmarks.kafka_on_a_jvm import create
from tests.benchmarks.others_latency import asked_ms
from tests.benchmarks.sides import MOCK, PARTITIONS, Side, mock_owner, serving_apart
from tests.real_kafka.jars import ASKED_FOR
from tests.real_kafka.jars import why_not as why_no_jars

Serving = Callable[[Sequence[str]], AbstractContextManager[Side]]
IMAGE: Final = os.environ.get("KAFKA_IMAGE", "confluentinc/cp-kafka:7.9.1")
"""Kafka 3.9; testcontainers' class runs images of this kind only. `kafka_image.py` builds one."""


class Double(NamedTuple):
    """A broker that a test may have."""

    name: str
    serving: Serving | None
    """Runs it, with topics of four partitions, in a separate process; None if only its start is measured."""
    start_ms: Callable[[], float]
    """How long it takes until it answers its first request, started as in a test."""
    why_not: Callable[[], str | None] = lambda: None
    """The reason why it cannot run here; None if it can."""


def ready(side: Side) -> Side:
    """Wait until the first request is answered."""
    host, _, port = side.bootstrap_servers.split(",")[0].rpartition(":")
    asked_ms((host, int(port)))
    return side


def until_ready(serving: Serving) -> float:
    """The milliseconds until a process answers its first request."""
    started = time.perf_counter()
    with serving([]) as side:
        ready(side)
        return (time.perf_counter() - started) * 1000


def _ours_in_the_test() -> float:
    started = time.perf_counter()
    with FakeKafka() as kafka:
        asked_ms((kafka.host, kafka.port))
        return (time.perf_counter() - started) * 1000


def _mock_in_the_test() -> float:
    started = time.perf_counter()
    owner = mock_owner()
    owner.list_topics(timeout=10)
    return (time.perf_counter() - started) * 1000


@contextmanager
def served(topics: Sequence[str]) -> Iterator[Side]:
    """`fakekafka serve`."""
    command = [sys.executable, "-m", "fakekafka", "serve", "--port", "0"]
    command += [argument for name in topics for argument in ("--topic", f"{name}:{PARTITIONS}")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        assert process.stdout is not None
        try:
            yield Side("fakekafka", process.stdout.readline().split()[0], process.pid)
        finally:
            process.terminate()


# ---- Kafka in a container


@contextmanager
def kafka_in_a_container(topics: Sequence[str]) -> Iterator[Side]:
    """Kafka started by testcontainers. The process that uses memory is the container's Java."""
    from testcontainers.community.kafka import KafkaContainer

    with KafkaContainer(IMAGE).with_kraft() as container:
        processes = container.get_wrapped_container().top(ps_args="-eo pid,comm")["Processes"]
        broker = next(int(pid) for pid, command in processes if command == "java")
        side = Side("testcontainers", container.get_bootstrap_server(), broker)
        create(side, topics)
        yield side


def _why_no_container() -> str | None:
    if shutil.which("docker") is None:
        return "needs Docker, which is not on this machine"
    if subprocess.run(["docker", "info"], capture_output=True, check=False, timeout=60).returncode:
        return "needs Docker's daemon, which does not answer on this machine"
    return None if find_spec("testcontainers") else "needs testcontainers"


def _why_no_kfake() -> str | None:
    return None if peers.built() else "needs Go, and its module proxy"


def _why_no_jvm() -> str | None:
    os.environ.setdefault(ASKED_FOR, "1")  # asking for the plots is asking for this peer
    return why_no_jars()


DOUBLES: Final = (
    Double("fakekafka", served, _ours_in_the_test),
    Double("fakekafka serve", None, partial(until_ready, served)),
    Double("librdkafka's mock", partial(serving_apart, MOCK), _mock_in_the_test),
    Double(
        "kfake",
        partial(peers.serving, peers.KFAKE),
        partial(until_ready, partial(peers.serving, peers.KFAKE)),
        _why_no_kfake,
    ),
    Double("Kafka 3.9.1 (JVM)", kafka_on_a_jvm.kafka_on_a_jvm, kafka_on_a_jvm.start_ms, _why_no_jvm),
    Double("testcontainers", kafka_in_a_container, partial(until_ready, kafka_in_a_container), _why_no_container),
)
