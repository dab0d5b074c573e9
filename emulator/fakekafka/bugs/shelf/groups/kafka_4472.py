"""KAFKA-4472: a long retention of offsets overflows, and they expire at once."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play

BUG = Bug(
    id="KAFKA-4472",
    title="a long retention of offsets overflows, and they expire at once",
    part="groups",
    kind="bug",
    releases="0.8.2.0 - 0.10.1.0",
    clients=("any consumer group",),
    symptom=(
        "committed offsets vanish within minutes although offsets.retention.minutes is large; consumers restart"
        " from the beginning"
    ),
    cause=(
        "offsets.retention.minutes is converted to seconds in an int, which overflows above 35791394. The time of"
        " expiry lies in the past."
    ),
    remedy="Keep offsets.retention.minutes below 35791394, or upgrade to 0.10.1.1.",
    sources=("KAFKA-4472", "GroupCoordinator of 0.10.1.0 and 0.10.1.1"),
    affected=Side(
        "0.10.1.0", config={"offsets.retention.minutes": 40_000_000, "offsets.retention.check.interval.ms": 1000}
    ),
    cured=Side(
        "0.10.1.1", config={"offsets.retention.minutes": 40_000_000, "offsets.retention.check.interval.ms": 1000}
    ),
    story_on="0.9.0.0 - 0.10.1.0",
    elsewhere="0.8.2.0, which was asked, kept this offset, for a reason that was not found",
    sees={"committed an hour later": (-1, 2)},
)


def story(play: Play) -> None:
    play.topic()
    play.commit(2)
    play.advance(3_600_000)
    play.see("committed an hour later", play.committed())
