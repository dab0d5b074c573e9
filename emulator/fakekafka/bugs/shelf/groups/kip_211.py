"""KIP-211: offsets are kept for seven days instead of one day."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records

BUG = Bug(
    id="KIP-211",
    title="offsets are kept for seven days instead of one day",
    part="groups",
    kind="era",
    releases="0.8.2.0 - 2.0.1",
    clients=("any consumer group",),
    symptom=(
        "committed offsets gone after a day; consumer group reset to latest after a weekend;"
        " offsets.retention.minutes 1440"
    ),
    cause=(
        "Up to 1.1 the default of offsets.retention.minutes is 1440, and up to 2.0 it counts from the commit,"
        " whether the group is alive or not."
    ),
    remedy=(
        "Set offsets.retention.minutes; 2.0 has 10080, and 2.1 counts from the moment at which the group becomes empty."
    ),
    sources=("KIP-211", "KAFKA-4682", "apache/kafka commit 418a91b5d4e", "behaviour offsets.expiry_from"),
    affected=Side("1.1.1"),
    cured=Side("2.1.1"),
    story_on="0.9.0.0 - 1.1.1",
    elsewhere=(
        "2.0 keeps offsets for a week, and the story takes two days; 0.8.2.0 and 0.8.2.2, which were asked, kept this"
        " offset, for a reason that was not found"
    ),
    sees={"the offset two days later": (-1, 2)},
)


def story(play: Play) -> None:
    play.topic()
    play.produce(play.set_of(records()), 5)
    play.commit(2)
    play.tell("the consumer is stopped over the weekend")
    play.advance(2 * 86_400_000)
    play.see("the offset two days later", play.committed())
