"""The two brokers that are compared: ours, and the mock cluster inside librdkafka (`test.mock.num.brokers`).

Both run as a thread of the measuring process. The mock belongs to a client that does nothing else; it makes topics of
four partitions when they are asked for, keeps 5 MB of each, and lets an empty fetch wait for its whole time.
"""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from confluent_kafka import Consumer, Producer
from fakekafka import FakeKafka

Settings: TypeAlias = Mapping[str, str | int | float | bool]

PARTITIONS: Final = 4
"""Of every topic: the mock's number."""
QUIET: Final[Settings] = {"log_level": 0}
OURS, MOCK = "ours", "mock"
MOCK_THREAD: Final = "rdk:mock"
OUR_THREAD: Final = "fakekafka"


class Side(NamedTuple):
    """A broker that runs."""

    name: str
    bootstrap_servers: str

    def producer(self, **settings: str | int) -> Producer:
        return Producer({"bootstrap.servers": self.bootstrap_servers, **QUIET, **_dotted(settings)})

    def consumer(self, **settings: str | int) -> Consumer:
        """Without a group to speak of: for `assign`, unless `group_id` says otherwise."""
        usual = {"group.id": "nobody", "enable.auto.commit": False, "auto.offset.reset": "earliest"}
        return Consumer({"bootstrap.servers": self.bootstrap_servers, **QUIET, **usual, **_dotted(settings)})


def _dotted(settings: Mapping[str, str | int]) -> dict[str, str | int]:
    return {name.replace("_", "."): value for name, value in settings.items()}


@contextmanager
def serving(name: str, topics: Sequence[str]) -> Iterator[Side]:
    """The side of that name, with topics of `PARTITIONS` partitions."""
    if name == OURS:
        with FakeKafka(topics=dict.fromkeys(topics, PARTITIONS)) as kafka:
            yield Side(name, kafka.bootstrap_servers)
    else:
        owner = mock_owner()
        (broker,) = owner.list_topics(timeout=10).brokers.values()
        for topic in topics:
            owner.list_topics(topic, timeout=10)
        yield Side(name, f"{broker.host}:{broker.port}")
        del owner


def mock_owner() -> Producer:
    """A client with a mock of one broker in it."""
    return Producer({"test.mock.num.brokers": 1, **QUIET})


# ---- what a broker costs (Linux tells; elsewhere 0)


def broker_cpu_seconds(side: Side) -> float:
    """CPU time of the broker's thread so far."""
    for task in Path("/proc/self/task").glob("*"):
        if _is_broker(side, task):
            return int((task / "schedstat").read_text().split()[0]) / 1e9
    return 0.0


def _is_broker(side: Side, task: Path) -> bool:
    if side.name == MOCK:
        return (task / "comm").read_text().strip() == MOCK_THREAD
    return any(thread.name == OUR_THREAD and str(thread.native_id) == task.name for thread in threading.enumerate())


def resident_mib() -> float:
    """Memory of this process."""
    status = Path("/proc/self/statm")
    return int(status.read_text().split()[1]) * 4096 / (1 << 20) if status.exists() else 0.0
