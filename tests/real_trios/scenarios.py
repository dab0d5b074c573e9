"""What is done to three real brokers. Broker 0, the controller of a ZooKeeper cluster, is never stopped."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from fakekafka import Release
from fakekafka.wire.apis.produce import ProduceRequest, ProduceResponse

from tests.real_trios.absent import absent
from tests.real_trios.coordinators import coordinators
from tests.real_trios.copies import CLEANED, gaps, halved, listed
from tests.real_trios.deleted import deleted
from tests.real_trios.eligible import died, eligible, enabled, features, lagging
from tests.real_trios.elsewhere import elsewhere
from tests.real_trios.fenced import fenced
from tests.real_trios.moves import preferred, reassigned
from tests.real_trios.recorder import Recorder
from tests.real_trios.requests import PRODUCE, batch, create, epochs, fetch, led, produce, produced
from tests.real_trios.shutdowns import shutdowns
from tests.real_trios.strangers import strangers

COMMON: Final = {
    "offsets.topic.replication.factor": "3",
    "offsets.topic.segment.bytes": "1048576",
    "transaction.state.log.replication.factor": "3",
    "transaction.state.log.min.isr": "1",
    "controlled.shutdown.enable": "true",
    "auto.create.topics.enable": "false",
    "auto.leader.rebalance.enable": "false",
    "replica.fetch.wait.max.ms": "100",
    "replica.high.watermark.checkpoint.interval.ms": "500",
    "log.retention.ms": "-1",
}
"""The configs of all scenarios."""

FIRST_WITH_CREATION: Final = Release.parse("0.10.1.0")
FIRST_WITH_BATCHES: Final = Release.parse("0.11.0.0")
FIRST_WITH_REASSIGNMENTS: Final = Release.parse("2.4.0")
FIRST_WITH_FENCED: Final = Release.parse("4.0.0")
FIRST_WITH_ELIGIBLE: Final = Release.parse("4.1.0")


@dataclass(frozen=True, slots=True)
class Scenario:
    """One story of three brokers."""

    name: str
    play: Callable[[Recorder], None]
    config: Mapping[str, str] = field(default_factory=dict)
    since: Release = FIRST_WITH_BATCHES
    keeps: bool = True
    """Whether the files are kept that brokers leave: not where these depend on the moment of a kill."""

    def config_of(self, release: Release) -> dict[str, str]:
        """What the brokers are configured with."""
        own = COMMON | dict(self.config)
        wrong = ["zookeeper." if release.default_mode == "kraft" else "broker.session."]
        if release < FIRST_WITH_BATCHES:
            wrong.append("transaction.")
        return {name: value for name, value in own.items() if not name.startswith(tuple(wrong))}


def failover(recorder: Recorder) -> None:
    """A leader is killed and comes back, and another one is stopped cleanly; records are produced all the time."""
    create(recorder, [[1, 2, 0]])
    produce(recorder, 1, b"a", b"b")
    produce(recorder, 1, b"c", acks=1)
    _sequenced(recorder, 1, 0)
    recorder.kill(1)
    led(recorder, 2, [2, 0])
    for node_id in (2, 0):
        epochs(recorder, node_id, 0, 1, 9)
        fetch(recorder, node_id)
    _sequenced(recorder, 2, 0)
    _sequenced(recorder, 2, 1)
    produce(recorder, 2, b"d")
    produce(recorder, 2, b"e", acks=1)
    produce(recorder, 0, b"no")
    recorder.start(1)
    led(recorder, 2, [2, 0, 1])
    recorder.keep("returned")
    recorder.stop(2)
    led(recorder, 1, [0, 1])
    produce(recorder, 1, b"f")
    epochs(recorder, 1, 0, 1, 2, 3, 4)
    recorder.start(2)
    led(recorder, 1, [0, 1, 2])
    recorder.stop(2)
    led(recorder, 1, [0, 1])
    produce(recorder, 1, b"g", acks=1)
    recorder.start(2)
    led(recorder, 1, [0, 1, 2])
    epochs(recorder, 1, 4, 5, 6, 7)
    fetch(recorder, 1)


def _sequenced(recorder: Recorder, node_id: int, sequence: int) -> None:
    """A producer with sequence numbers continues, or repeats a batch (KIP-98)."""
    value = f"sequence {sequence}".encode()
    produce(recorder, node_id, value, producer_id=4000, producer_epoch=0, base_sequence=sequence)


def min_isr(recorder: Recorder) -> None:
    """Followers die, return, lag and catch up; a producer wants two replicas in sync."""
    create(recorder, [[0, 1, 2]], min_insync_replicas="2")
    produce(recorder, 0, b"a")
    recorder.kill(2)
    led(recorder, 0, [0, 1])
    produce(recorder, 0, b"b")
    recorder.kill(1)
    led(recorder, 0, [0])
    produce(recorder, 0, b"refused")
    produce(recorder, 0, b"c", acks=1)
    fetch(recorder, 0)
    recorder.start(1)
    led(recorder, 0, [0, 1])
    produce(recorder, 0, b"d")
    recorder.start(2)
    led(recorder, 0, [0, 1, 2])
    recorder.keep("all back")
    recorder.pause(1)
    recorder.pause(2)
    version = recorder.version(ProduceRequest, PRODUCE)
    recorder.send(0, produced(batch(recorder, [b"e"]), -1, within_ms=6_000), version)
    recorder.answer(0, ProduceResponse, version)
    fetch(recorder, 0)
    recorder.resume(1)
    led(recorder, 0, [0, 1])
    recorder.resume(2)
    led(recorder, 0, [0, 1, 2])
    produce(recorder, 0, b"f")
    fetch(recorder, 0)
    epochs(recorder, 0, 0, 1, 2, 3)


def unclean(recorder: Recorder) -> None:
    """The only replica that has some records dies, another one leads, and the first discards them."""
    create(recorder, [[1, 2], [0, 1]], unclean_leader_election_enable="true")
    produce(recorder, 1, b"a", b"b")
    recorder.kill(2)
    led(recorder, 1, [1])
    produce(recorder, 1, b"lost 1", b"lost 2", acks=1)
    produce(recorder, 1, b"lost 3")
    recorder.kill(1)
    led(recorder, -1, None)
    fetch(recorder, 0)
    recorder.start(2)
    led(recorder, 2, [2])
    produce(recorder, 2, b"c")
    for offset in (2, 3, 4, 5):
        fetch(recorder, 2, offset)
    for epoch in range(5):
        fetch(recorder, 2, 2, epoch=epoch)
        fetch(recorder, 2, 5, last_epoch=epoch)
        epochs(recorder, 2, 0, 1, 2, 3, 4, current=epoch)
    epochs(recorder, 0, 0, 1)
    recorder.keep("parted", [0, 2])
    recorder.start(1)
    led(recorder, 2, [2, 1])
    produce(recorder, 2, b"d")
    recorder.keep("cut")
    for epoch in range(6):
        epochs(recorder, 2, epoch)
        fetch(recorder, 2, 2, last_epoch=epoch)
    fetch(recorder, 2)
    fetch(recorder, 1)


def followers(recorder: Recorder) -> None:
    """Consumers that name their rack read from the replica there (KIP-392)."""
    create(recorder, [[1, 2, 0]])
    produce(recorder, 1, b"a", b"b", b"c")
    for rack in ("", "r0", "r1", "r2", "nowhere"):
        fetch(recorder, 1, rack=rack)
    for node_id in (0, 2):
        for offset in (0, 2, 3, 4):
            fetch(recorder, node_id, offset, rack=f"r{node_id}")
        for epoch in (0, 1):
            fetch(recorder, node_id, 1, rack="r0", epoch=epoch)
        fetch(recorder, node_id)
    fetch(recorder, 1, 3, rack="r2")
    fetch(recorder, 1, 7, rack="r2")
    recorder.pause(2)
    recorder.ask(1, produced(batch(recorder, [b"d"]), 1), recorder.version(ProduceRequest, PRODUCE))
    fetch(recorder, 1, 3, rack="r2")
    led(recorder, 1, [1, 0])
    fetch(recorder, 1, 3, rack="r2")
    fetch(recorder, 1, 0, rack="r2")
    recorder.resume(2)
    led(recorder, 1, [1, 0, 2])
    recorder.brokers.settle()
    fetch(recorder, 2, 3, rack="r2")
    recorder.kill(2)
    led(recorder, 1, [1, 0])
    fetch(recorder, 1, 3, rack="r2")
    fetch(recorder, 1, 3, rack="r0")


LAGS: Final = {
    "replica.lag.time.max.ms": "2000",
    "zookeeper.session.timeout.ms": "18000",
    "broker.session.timeout.ms": "18000",
}
DIES_SOON: Final = {"zookeeper.session.timeout.ms": "6000", "broker.session.timeout.ms": "6000"}
FORGETS_SOON: Final = {"offsets.retention.minutes": "30"}
"""The times at which committed offsets expire are among those that do not count."""
SELECTOR: Final = {"replica.selector.class": "org.apache.kafka.common.replica.RackAwareReplicaSelector"}

SCENARIOS: Final = (
    Scenario("failover", failover, DIES_SOON),
    Scenario("min-isr", min_isr, LAGS),
    Scenario("unclean", unclean, DIES_SOON),
    Scenario("shutdowns", shutdowns, DIES_SOON),
    Scenario("preferred", preferred, DIES_SOON, FIRST_WITH_REASSIGNMENTS),
    Scenario("reassigned", reassigned, LAGS, FIRST_WITH_REASSIGNMENTS),
    Scenario("coordinators", coordinators, DIES_SOON | FORGETS_SOON),
    Scenario("followers", followers, LAGS | SELECTOR, FIRST_WITH_REASSIGNMENTS),
    Scenario("eligible", eligible, DIES_SOON, FIRST_WITH_ELIGIBLE),
    Scenario("died", died, DIES_SOON, FIRST_WITH_ELIGIBLE),
    Scenario("enabled", enabled, DIES_SOON, FIRST_WITH_ELIGIBLE),
    Scenario("lagging", lagging, LAGS, FIRST_WITH_ELIGIBLE),
    Scenario("fenced", fenced, DIES_SOON, FIRST_WITH_FENCED, keeps=False),
    Scenario("features", features, DIES_SOON, FIRST_WITH_ELIGIBLE),
    Scenario("strangers", strangers, DIES_SOON, keeps=False),
    Scenario("absent", absent, DIES_SOON, keeps=False),
    Scenario("deleted", deleted, LAGS, keeps=False),
    Scenario("elsewhere", elsewhere, since=FIRST_WITH_CREATION, keeps=False),
    Scenario("listed", listed, DIES_SOON, FIRST_WITH_CREATION, keeps=False),
    Scenario("halved", halved, DIES_SOON),
    Scenario("gaps", gaps, DIES_SOON | CLEANED),
)
