"""The two brokers that are compared: ours, and the mock cluster inside librdkafka (`test.mock.num.brokers`).

Both run as a thread of the measuring process, or in a separate process. The mock belongs to a client that does
nothing else; it makes topics of four partitions when they are asked for, keeps 5 MB of each, lets an empty fetch wait
for its whole time, and has no TLS. `python -m tests.benchmarks.sides mock topic …` is the mock's own process.
"""

import argparse
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from fakekafka import FakeKafka

from tests.benchmarks.measuring import with_bytecode

if TYPE_CHECKING:  # a process that only runs our broker needs no client
    from confluent_kafka import Consumer, Producer

Settings: TypeAlias = Mapping[str, str | int | float | bool]

PARTITIONS: Final = 4
"""The partitions of every topic, as many as the mock's."""
QUIET: Final[Settings] = {"log_level": 0}
OURS, MOCK = "ours", "mock"
MOCK_THREAD: Final = "rdk:mock"
OUR_THREAD: Final = "fakekafka"


class Side(NamedTuple):
    """A broker that runs."""

    name: str
    bootstrap_servers: str
    process: int | None = None
    """The id of the broker's own process; None if it is a thread of this one."""

    def producer(self, **settings: str | int) -> "Producer":
        from confluent_kafka import Producer

        return Producer({"bootstrap.servers": self.bootstrap_servers, **QUIET, **_dotted(settings)})

    def consumer(self, **settings: str | int) -> "Consumer":
        """A consumer for `assign`, whose group does not matter unless `group_id` is given."""
        from confluent_kafka import Consumer

        usual = {"group.id": "nobody", "enable.auto.commit": False, "auto.offset.reset": "earliest"}
        return Consumer({"bootstrap.servers": self.bootstrap_servers, **QUIET, **usual, **_dotted(settings)})


def _dotted(settings: Mapping[str, str | int]) -> dict[str, str | int]:
    return {name.replace("_", "."): value for name, value in settings.items()}


def over_tls(pem: Path) -> dict[str, str]:
    """The properties of a broker whose key and certificate are in a file."""
    return {"ssl.keystore.type": "PEM", "ssl.keystore.location": str(pem)}


OVER_TLS: Final = {"listeners": "SSL://127.0.0.1:0", "security.inter.broker.protocol": "SSL"}
"""The only listener of our side over TLS."""


@contextmanager
def serving(name: str, topics: Sequence[str], pem: Path | None = None) -> Iterator[Side]:
    """Run the side of that name as a thread, with topics of `PARTITIONS` partitions; `pem`: ours over TLS."""
    if name == OURS:
        config = {} if pem is None else {**OVER_TLS, **over_tls(pem)}
        with FakeKafka(config=config, topics=dict.fromkeys(topics, PARTITIONS)) as kafka:
            yield Side(name, kafka.bootstrap_servers)
    else:
        owner = mock_owner()
        (broker,) = owner.list_topics(timeout=10).brokers.values()
        for topic in topics:
            owner.list_topics(topic, timeout=10)
        yield Side(name, f"{broker.host}:{broker.port}")
        del owner


@contextmanager
def serving_apart(name: str, topics: Sequence[str], pem: Path | None = None) -> Iterator[Side]:
    """A broker in a separate process."""
    secured = [] if pem is None else ["--pem", str(pem)]
    command = [sys.executable, "-m", "tests.benchmarks.sides", *secured, name, *topics]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, env=with_bytecode(), stdin=pipe, stdout=pipe, text=True, encoding="utf-8"
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Side(name, process.stdout.readline().strip(), process.pid)
        process.stdin.close()


@contextmanager
def served(release: str, topics: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """`fakekafka serve` of a release in a separate process; its address."""
    command = [sys.executable, "-m", "fakekafka", "serve", "--port", "0", "--release", release]
    command += [argument for name, count in topics.items() for argument in ("--topic", f"{name}:{count}")]
    with subprocess.Popen(command, env=with_bytecode(), stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        assert process.stdout is not None
        host, _, port = process.stdout.readline().split()[0].rpartition(":")
        try:
            yield host, int(port)
        finally:
            process.terminate()


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the address, then serve until stdin is closed."""
    parser = argparse.ArgumentParser("sides")
    parser.add_argument("--pem", type=Path)
    parser.add_argument("name")
    parser.add_argument("topic", nargs="*")
    options = parser.parse_args(arguments)
    with serving(options.name, options.topic, options.pem) as side:
        print(side.bootstrap_servers, flush=True)
        sys.stdin.read()


def mock_owner() -> "Producer":
    """A client with a mock of one broker in it."""
    from confluent_kafka import Producer

    return Producer({"test.mock.num.brokers": 1, **QUIET})


# ---- what a broker costs (known on Linux only; elsewhere 0)


def broker_cpu_seconds(side: Side) -> float:
    """CPU time that the broker's thread or process has used so far."""
    tasks = Path(f"/proc/{side.process or 'self'}/task").glob("*")
    ours = {str(thread.native_id) for thread in threading.enumerate() if thread.name == OUR_THREAD}
    wanted = [task for task in tasks if side.process or task.name in ours or _comm(task) == MOCK_THREAD]
    return sum(int((task / "schedstat").read_text("utf-8").split()[0]) for task in wanted) / 1e9


def _comm(task: Path) -> str:
    return (task / "comm").read_text("utf-8").strip()


def broker_memory_mib(side: Side) -> float:
    """Memory of the process in which the broker is."""
    status = Path(f"/proc/{side.process or 'self'}/statm")
    return int(status.read_text("utf-8").split()[1]) * 4096 / (1 << 20) if status.exists() else 0.0


if __name__ == "__main__":
    main()
