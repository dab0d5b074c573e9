"""KAFKA-8069: committed offsets are gone after the coordinator has reloaded them."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="KAFKA-8069",
    title="committed offsets are gone after the coordinator has reloaded them",
    part="groups",
    kind="bug",
    releases="2.1.0 - 2.1.1",
    clients=("any consumer group",),
    symptom=(
        "consumers start from the beginning after a rolling upgrade to 2.1; committed offsets lost; offsets"
        " expired at once; auto.offset.reset after broker restart"
    ),
    cause=(
        "Brokers of 2.1 whose inter.broker.protocol.version is older write offsets in version 1, with an expiry of"
        " -1. When they load them again -1 counts as a time that has passed, and the offsets are deleted at the next"
        " check."
    ),
    remedy="Upgrade to 2.2 instead, or raise inter.broker.protocol.version to 2.1 in the same step.",
    sources=("KAFKA-8069", "apache/kafka#6401", "GroupMetadataManager of 2.1.1 and 2.2.0"),
    affected=Side(
        "2.1.1", config={"inter.broker.protocol.version": "2.0", "offsets.retention.check.interval.ms": 1000}
    ),
    cured=Side("2.2.2", config={"inter.broker.protocol.version": "2.0", "offsets.retention.check.interval.ms": 1000}),
    sees={"committed after a restart and an hour": (-1, 2)},
)


def story(play: Play) -> None:
    play.topic()
    play.produce(batch(), 7)
    play.commit(2)
    play.restart()
    play.advance(3_600_000)
    play.see("committed after a restart and an hour", play.committed())
