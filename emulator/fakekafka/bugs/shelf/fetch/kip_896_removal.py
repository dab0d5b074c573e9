"""KIP-896-REMOVAL: 4.0 serves no clients older than 2.1, and does not convert."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import CLOSED, Play
from fakekafka.bugs.real_clients import RealClients
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="KIP-896-REMOVAL",
    title="4.0 serves no clients older than 2.1, and does not convert",
    part="fetch",
    kind="era",
    releases="4.0.0 -",
    clients=("kafka-clients <2.1.0", "kafka-python <1.4.0", "pykafka", "sarama <1.22.0", "librdkafka <0.11.4"),
    symptom=(
        "UNSUPPORTED_VERSION; connection closed by the broker again and again; NodeNotReadyError; client cannot"
        " connect after the upgrade to 4.0; Fetch 2 is refused"
    ),
    cause=(
        "Fetch below 4, Produce below 3 and many other old versions are gone. Clients that negotiate give up"
        " with an error, others see their connection closed and connect again."
    ),
    remedy=(
        "Upgrade clients before brokers go to 4.0: the metrics of deprecated requests (3.7) show which clients are"
        " left."
    ),
    sources=("KIP-896", "KAFKA-18269", "recorded from 4.0.0 to 4.3.1: every_version"),
    affected=Side("4.0.0"),
    cured=Side("3.9.1"),
    sees={"a Fetch 3": (CLOSED, "NONE"), "a Fetch 4": ("NONE", "NONE")},
    real_clients=RealClients("pykafka==2.8.0"),
)


def story(play: Play) -> None:
    play.topic()
    play.produce(batch(), 9)
    play.see("a Fetch 3", play.fetch(0, 3).error)
    play.see("a Fetch 4", play.fetch(0, 4).error)
