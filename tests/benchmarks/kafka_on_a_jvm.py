"""Kafka 3.9.1 on its JVM, from Maven's registry: broker and controller in one process."""

import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from confluent_kafka.admin import AdminClient, NewTopic

from tests.benchmarks.others_latency import asked_ms
from tests.benchmarks.sides import PARTITIONS, QUIET, Side, over_tls
from tests.real_kafka.jars import class_path

REAL: Final = "Kafka 3.9.1"
START_S: Final = 120
HEAP: Final = ("-Xms1G", "-Xmx1G", "-XX:+UseG1GC")
"""The options that kafka-server-start.sh gives a broker."""


@contextmanager
def kafka_on_a_jvm(topics: Sequence[str], pem: Path | None = None) -> Iterator[Side]:
    """A broker on a new directory, with these topics; `pem`: the side is its listener with TLS."""
    with TemporaryDirectory(prefix="kafka-") as folder:
        properties, port, tls_port = _formatted(Path(folder), pem)
        with _java("kafka.Kafka", str(properties)) as process:
            try:
                _wait_for(port)
                create(Side(REAL, f"127.0.0.1:{port}"), topics)
                yield Side(REAL, f"127.0.0.1:{port if pem is None else tls_port}", process.pid)
            finally:
                process.kill()


def start_ms() -> float:
    """The start-up time, without formatting the directory."""
    with TemporaryDirectory(prefix="kafka-") as folder:
        properties, port, _ = _formatted(Path(folder), None)
        started = time.perf_counter()
        with _java("kafka.Kafka", str(properties)) as process:
            try:
                _wait_for(port)
                return (time.perf_counter() - started) * 1000
            finally:
                process.kill()


def _formatted(folder: Path, pem: Path | None) -> tuple[Path, int, int]:
    """The properties of a new broker, its plain port and its port with TLS."""
    with ExitStack() as taken:
        sockets = [taken.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(3)]
        port, controller, tls_port = (each.getsockname()[1] for each in sockets)
    tls_listener = "" if pem is None else f",SSL://127.0.0.1:{tls_port}"
    settings = {
        "process.roles": "broker,controller",
        "node.id": 1,
        "controller.quorum.voters": f"1@127.0.0.1:{controller}",
        "controller.listener.names": "CONTROLLER",
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SSL:SSL",
        "listeners": f"PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}{tls_listener}",
        "log.dirs": folder / "logs",
        "offsets.topic.replication.factor": 1,
        "group.initial.rebalance.delay.ms": 0,
        **({} if pem is None else over_tls(pem)),
    }
    properties = folder / "server.properties"
    properties.write_text("".join(f"{name}={value}\n" for name, value in settings.items()), "utf-8")
    with _java("kafka.tools.StorageTool", "format", "-t", "AAAAAAAAAAAAAAAAAAAAZg", "-c", str(properties)) as tool:
        assert tool.wait(START_S) == 0
    return properties, port, tls_port


def _java(*arguments: str) -> "subprocess.Popen[bytes]":
    nothing = subprocess.DEVNULL
    return subprocess.Popen(["java", *HEAP, "-cp", class_path(), *arguments], stdout=nothing, stderr=nothing)


def _wait_for(port: int) -> None:
    """Wait until the broker answers: it listens for some time before that."""
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        try:
            asked_ms(("127.0.0.1", port))
        except (OSError, AssertionError):
            time.sleep(0.005)
        else:
            return
    raise TimeoutError(f"no broker within {START_S} s")


def create(side: Side, topics: Sequence[str]) -> None:
    admin = AdminClient({"bootstrap.servers": side.bootstrap_servers, **QUIET})
    if topics:
        for made in admin.create_topics([NewTopic(name, PARTITIONS, 1) for name in topics]).values():
            made.result(START_S)
