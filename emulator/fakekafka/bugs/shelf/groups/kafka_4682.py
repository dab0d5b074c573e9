"""KAFKA-4682: offsets of live groups expire."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records

BUG = Bug(
    id="KAFKA-4682",
    title="offsets of live groups expire",
    part="groups",
    kind="era",
    releases="0.8.2.0 - 2.0.1",
    clients=("any consumer group",),
    symptom=(
        "committed offset of an idle topic expired although the consumer runs; consumer jumps to"
        " auto.offset.reset after restart; topic without new messages for a day"
    ),
    cause=(
        "Retention counts from the commit. A consumer of a topic without new records never commits the same"
        " offset again, and loses it."
    ),
    remedy="Raise offsets.retention.minutes; upgrade to 2.1 (KIP-211).",
    sources=("KAFKA-4682", "KIP-211", "apache/kafka commit 418a91b5d4e", "behaviour offsets.expiry_from"),
    affected=Side("2.0.1", config={"offsets.retention.minutes": 60, "group.max.session.timeout.ms": 86_400_000}),
    cured=Side("2.1.1", config={"offsets.retention.minutes": 60, "group.max.session.timeout.ms": 86_400_000}),
    story_on="0.9.0.0 - 2.0.1",
    elsewhere="members came with 0.9",
    sees={"the live member's offset after two hours": (-1, 2)},
)


def story(play: Play) -> None:
    play.topic()
    play.produce(play.set_of(records()), 7)
    member = play.join("g", session_timeout_ms=86_400_000)
    play.tell("the member commits, finds no new records, and commits nothing for two hours")
    play.commit(2, member=member)
    play.advance(7_200_000)
    play.see("the live member's offset after two hours", play.committed())
