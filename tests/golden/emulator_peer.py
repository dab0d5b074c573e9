"""The emulator as the peer of a replay, set up like the recorded broker."""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.emulator import FakeKafka
from fakekafka.errors import BrokerWillNotStart
from fakekafka.ids import DurationMs, PartitionIndex, TopicName
from fakekafka.releases.configs import broker_configs
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Mode, Release, check_mode
from fakekafka.settings.options import Pace

from tests.golden.channel import Client
from tests.golden.held_clock import HeldClock
from tests.golden.operator import administer, jaas_users, listener_config
from tests.golden.pauses import Unhurried, batch_starts
from tests.golden.security_lines import SetAcls, SetQuota, SetScramUser
from tests.golden.transcript import Config, Recording, Start

SHARED_CONFIG: Final = {
    "num.partitions": "1",
    "default.replication.factor": "1",
    "offsets.topic.num.partitions": "1",
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.num.partitions": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "share.coordinator.state.topic.num.partitions": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
    "group.initial.rebalance.delay.ms": "0",
    "log.index.size.max.bytes": "40960",
    "controlled.shutdown.enable": "false",
    "auto.create.topics.enable": "true",
    "log.cleaner.dedupe.buffer.size": "2097152",
    "log.cleaner.threads": "1",
    "delete.topic.enable": "true",
    "num.network.threads": "1",
    "num.io.threads": "2",
}
"""Settings of every recorded broker, which its own override; older releases ignored those that came later."""

MODE_CONFIG: Final = {
    "zk": {
        "zookeeper.connect": "127.0.0.1:2181",
        "zookeeper.connection.timeout.ms": "30000",
        "zookeeper.session.timeout.ms": "6000",
    },
    "kraft": {
        "process.roles": "broker,controller",
        "inter.broker.listener.name": "PLAINTEXT",
        "metadata.log.dir": "/metadata",
    },
}

READY_MS: Final = 2_000
"""How long the recorder waited until a restarted broker knew its topics."""
BETWEEN_MS: Final = 100
"""About how long the recorder took from one request to the next; transcripts do not hold these times."""
LOOPBACK: Final = "127.0.0.1"
ANY_PORT: Final = 9092
"""The port that Metadata shows; nothing listens there."""


class Emulator:
    """A `FakeKafka` that was set up like the recorded broker. In a lifelike `pace` the replay waits as the recorder
    did: it repeats what the recorder repeated, and after a start it continues when the broker knows what it leads.
    """

    def __init__(self, recording: Recording, log_dir: Path | None = None, pace: Pace = "instant") -> None:
        start = next(line for line in recording.lines if isinstance(line, Start))
        self._pace = pace
        self._controller = recording.controller or Release.parse(recording.release).default_mode
        self._listeners = listener_config(recording)
        self._release, self._config = recording.release, recording.config | self._listeners
        self._topic_configs: dict[TopicName, dict[str, str]] = {}
        self.clock = HeldClock(start.clock_ms or 0)
        self._throttles = recording.scenario in ("quotas", "random_quotas", "random_limits")
        self.clock.couple(recording.release, throttles=self._throttles)
        self.log_dir = log_dir
        folders = several_folders(recording.config)
        places = [log_dir / folder for folder in folders] if log_dir and folders else log_dir
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # the recorder sets configs that old releases ignore
            self._kafka = FakeKafka(
                recording.release,
                config=self._whole_config(),
                clock=self.clock,
                log_dir=places,
                port=ANY_PORT,
                users=jaas_users(recording),
                features=recording.features,
                pace=pace,
                unknown_configs="ignored",
            )
        self._kafka.boot()
        self._is_refused = False
        self.clock.on_jump = self._hold_back
        self._kafka._running.cluster.lookup_waits_for_topic = False
        self._batch_starts = batch_starts(recording)

    @property
    def failures(self) -> Sequence[BaseException]:
        return self._kafka.failures

    def connect(self, listener: str | None = None, source: str | None = None) -> Client:
        client = self._kafka.connect(listener=listener, host=source or LOOPBACK)
        return Unhurried(client, self._end_batch if self._pace == "instant" else self._take_time)

    def administer(self, line: SetAcls | SetScramUser | SetQuota) -> None:
        administer(self._kafka._running.cluster, line)

    def _end_batch(self) -> None:
        """Wait until the coordinator's open batch is written, if the batch also ends here in the recording."""
        for broker in self._kafka._running.cluster.brokers.values():
            lingering, partition = coordinators_of(broker).groups.lingering, coordinators_of(broker).groups.partition(0)
            held = lingering.count(0)
            if held and partition is not None and partition.log.log_end_offset + held in self._batch_starts:
                self.clock.let_pass(lingering.linger_ms)

    def _take_time(self) -> None:
        self._end_batch()
        self.clock.let_pass(BETWEEN_MS)

    def stop(self, *, kill: bool) -> None:
        """Stop the broker, unless it did not start again."""
        if not self._is_refused:
            self._end_batch()
            self._kafka.stop(crash=kill)

    def start(self, release: str | None, config: Config | None) -> None:
        self._release = release or self._release
        if config is not None:
            own = {name: value for name, value in config.items() if not name.startswith("@")}  # "@": for the recorder
            self._config = own | self._listeners
        self.clock.couple(self._release, throttles=self._throttles)
        try:
            self._kafka.restart(release=self._release, config=self._whole_config())
        except BrokerWillNotStart:
            self._is_refused = True
            raise
        if self._pace == "lifelike":
            self.clock.let_pass(READY_MS)

    def _hold_back(self, ms: DurationMs) -> None:
        """Postpone the broker's recurring tasks: they run on a clock that does not jump."""
        for beat in self._kafka._running.cluster.timers.beats:
            beat.due_ms += ms

    def create_topic(self, name: TopicName, partitions: int, config: dict[str, str]) -> None:
        self._kafka.create_topic(name, partitions, config)
        self._topic_configs[name] = config

    def configure_topic(self, name: TopicName, config: dict[str, str]) -> None:
        before = self._topic_configs.get(name, {})
        self._kafka.configure_topic(name, {**dict.fromkeys(before), **config})
        self._topic_configs[name] = config

    def delete_topic(self, name: TopicName) -> None:
        self._kafka.delete_topic(name)

    def elect_leader(self, topic: TopicName, partition: PartitionIndex) -> None:
        """Have the leader elected again, unless the start did that already."""
        if not profile(Release.parse(self._release), self._controller).topics.epochs_by_start:
            self._kafka.elect_leader(topic, partition)

    def _whole_config(self) -> dict[str, str | None]:
        shared = {name: value for name, value in SHARED_CONFIG.items() if name not in self._config}
        whole = shared | whole_config(self._release, self._controller, self._config)
        if self.log_dir is not None:
            whole.pop("log.dirs", None)
        return whole


def several_folders(config: Config) -> list[str]:
    """The log directories of a recorded broker that had several, as folders of the one that was kept."""
    paths = (config.get("log.dirs") or "").split(",")
    return [path.rpartition("/")[2] for path in paths] if len(paths) > 1 else []


def whole_config(release: str, controller: Mode | None, config: Config) -> dict[str, str | None]:
    """The properties that are set, of those that the release has; None where the recorded broker was left to Kafka's
    own default.
    """
    table = broker_configs(Release.parse(release))
    shared = {name: value for name, value in SHARED_CONFIG.items() if name in table}
    whole = shared | MODE_CONFIG[check_mode(Release.parse(release), controller)] | config
    return {name: value for name, value in whole.items() if value is not None or name in shared}
