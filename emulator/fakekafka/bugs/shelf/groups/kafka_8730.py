"""KAFKA-8730: offsets of topics that a group has left are kept for ever."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="KAFKA-8730",
    title="offsets of topics that a group has left are kept for ever",
    part="groups",
    kind="era",
    releases="2.1.0 - 2.3.1",
    clients=("any consumer group",),
    symptom=(
        "lag alerts for topics that nobody reads any more; committed offsets never expire while the group has members"
    ),
    cause="From 2.1 on offsets expire only in groups without members, so those of a topic that the group left stay.",
    remedy="Delete them with kafka-consumer-groups --delete-offsets (2.4); upgrade to 2.4.",
    sources=("KAFKA-8730", "KIP-496", "apache/kafka commit e24d0e22abb", "behaviour offsets.expires_in"),
    affected=Side("2.3.1", config={"offsets.retention.minutes": 60, "group.max.session.timeout.ms": 86_400_000}),
    cured=Side("2.4.1", config={"offsets.retention.minutes": 60, "group.max.session.timeout.ms": 86_400_000}),
    sees={"the offset of the topic that the group has left": (2, -1)},
)


def story(play: Play) -> None:
    play.topic()
    play.topic("u")
    play.produce(batch(), 7)
    play.commit(2)
    play.tell("the group consumes only u from now on; two hours pass")
    play.join("g", session_timeout_ms=86_400_000, topics=("u",))
    play.advance(7_200_000)
    play.see("the offset of the topic that the group has left", play.committed())
