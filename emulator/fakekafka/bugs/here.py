"""The stage of a story in this process: a `FakeKafka` in memory, without sockets, whose clock stands still."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from fakekafka.bugs.bug import Side
from fakekafka.bugs.sets import NOW
from fakekafka.bugs.stage import Closed, NoAnswer, WillNotStart
from fakekafka.clock import ManualClock
from fakekafka.emulator import FakeKafka
from fakekafka.errors import BrokerWillNotStart
from fakekafka.ids import DurationMs, TimestampMs, TopicName
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release
from fakekafka.server.memory import MemoryClient
from fakekafka.settings.blueprint import PROTOCOL, keeper
from fakekafka.settings.options import BrokerSettings
from fakekafka.wire.frames import SIZE

SMALL: Final[Mapping[str, object]] = {
    "offsets.topic.num.partitions": 1,
    "transaction.state.log.num.partitions": 1,
    "group.initial.rebalance.delay.ms": 0,
    "log.cleaner.enable": "true",
    "log.cleaner.min.cleanable.ratio": 1,  # no log exceeds it: the cleaner rests unless a story has a topic compacted
    "log.cleaner.dedupe.buffer.size": 2 << 20,
}
"""Settings of every stage, if the release has them; a story's own settings override them."""

TO_BROKER: Final = "broker "
"""The beginning of the name of a connection to a particular broker."""


def known_settings(release: str) -> dict[str, object]:
    """The settings of `SMALL` that a release has."""
    table = profile(Release.parse(release)).broker_configs
    return {name: value for name, value in SMALL.items() if name in table}


def _under_zookeeper(side: Side) -> dict[str, str]:
    """What makes a broker run under ZooKeeper: KRaft's know no `inter.broker.protocol.version` before 3.0."""
    return keeper(Release.parse(side.release), "zk", side.config) if PROTOCOL in side.config else {}


class Here:
    """A `Stage` that is a `FakeKafka`."""

    def __init__(self, side: Side) -> None:
        self.release = side.begins or side.release
        self._clock = ManualClock(NOW)  # a story gives the same output every day
        self.kafka = FakeKafka(
            self.release,
            config={**known_settings(self.release), **side.config, **_under_zookeeper(side)},
            quirks=side.quirks,
            clock=self._clock,
            api_versions=side.api_versions,
            brokers=[BrokerSettings(config=config) for config in side.brokers] or 1,
        ).boot()
        self._clients: dict[str, MemoryClient] = {}

    @property
    def now_ms(self) -> TimestampMs:
        return self._clock.now_ms

    def exchange(self, frame: bytes, connection: str) -> bytes:
        client = self._client(connection)
        data = client.send(frame) or client.expire()
        if not data:
            raise Closed() if client.closed else NoAnswer()
        (size,) = SIZE.unpack_from(data)
        return data[SIZE.size : SIZE.size + size]

    def waits(self, frame: bytes, connection: str) -> bool:
        client = self._client(connection)
        answered = bool(client.send(frame))
        if client.closed:
            raise Closed()
        client.expire()
        return not answered

    def create_topic(self, name: TopicName, partitions: int, config: Mapping[str, str]) -> None:
        self.kafka.create_topic(name, partitions, config)

    def configure_topic(self, name: TopicName, config: Mapping[str, str]) -> None:
        self.kafka.configure_topic(name, config)

    def advance(self, ms: DurationMs) -> None:
        self._clock.advance(ms)

    def restart(self, release: str | None, config: Mapping[str, object] | None, crash: bool) -> None:
        self._clients.clear()
        whole = None if config is None else {**known_settings(release or self.release), **config}
        try:
            self.kafka.restart(release, whole, crash=crash)
        except BrokerWillNotStart as e:
            raise WillNotStart(str(e)) from None
        self.release = release or self.release

    def compact(self, topic: TopicName) -> bool:
        return all(done.failure is None for done in self.kafka.compact(topic, roll=True))

    def edit(self, changes: Mapping[str, bytes | None], crash: bool) -> None:
        self._clients.clear()
        self.kafka.stop(crash=crash)
        with TemporaryDirectory() as folder:
            root = Path(folder) / "logs"
            self.kafka.save(root)
            for name, content in changes.items():
                if content is None:
                    (root / name).unlink()
                else:
                    (root / name).write_bytes(content)
            try:
                self.kafka.restore(root)
            except BrokerWillNotStart as e:
                raise WillNotStart(str(e)) from None

    def files(self, beginning: str) -> Mapping[str, bytes]:
        with TemporaryDirectory() as folder:
            root = Path(folder) / "logs"
            self.kafka.save(root)
            paths = {path.relative_to(root).as_posix(): path for path in root.rglob("*") if path.is_file()}
            return {name: path.read_bytes() for name, path in paths.items() if name.startswith(beginning)}

    def _client(self, connection: str) -> MemoryClient:
        client = self._clients.get(connection)
        if not self.kafka.brokers():
            raise Closed()
        if client is None or client.closed:
            node_id = int(connection.removeprefix(TO_BROKER)) if connection.startswith(TO_BROKER) else None
            client = self._clients[connection] = self.kafka.connect(node_id)
        return client
