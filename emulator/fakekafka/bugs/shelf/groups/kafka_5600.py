"""KAFKA-5600: older commits win where a partition of the offsets topic is larger than the load buffer."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play

BUG = Bug(
    id="KAFKA-5600",
    title="older commits win where a partition of the offsets topic is larger than the load buffer",
    part="groups",
    kind="bug",
    releases="0.11.0.0",
    clients=("any consumer group",),
    symptom=(
        "consumers rewind after a broker restart; committed offset goes back; duplicates after restart of 0.11.0.0"
    ),
    cause=(
        "A starting coordinator loads a partition of the offsets topic in portions of offsets.load.buffer.size, 5 MB by"
        " default. The first portion that has an offset decides, and newer commits in later portions are ignored."
    ),
    remedy="Upgrade to 0.11.0.1, or raise offsets.load.buffer.size.",
    sources=("KAFKA-5600",),
    affected=Side("0.11.0.0"),
    cured=Side("0.11.0.1"),
    sees={"committed after a restart with a small buffer": (1, 5)},
)


def story(play: Play) -> None:
    play.topic()
    for offset in range(1, 6):
        play.commit(offset)
    play.tell("five commits of one group take more than the 150 bytes that are loaded at once")
    play.restart(config={"offsets.load.buffer.size": 150})
    play.advance(1000)
    play.see("committed after a restart with a small buffer", play.committed())
