"""KAFKA-7897: leader epochs are kept although the format has none."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records, unit

BUG = Bug(
    id="KAFKA-7897",
    title="leader epochs are kept although the format has none",
    part="negotiation",
    kind="bug",
    releases="1.0.0 - 2.1.0",
    clients=("kafka-clients >=2.1.0", "followers"),
    symptom=(
        "followers truncate more than they should during an upgrade with an old message format; data loss after"
        " leader change; OffsetForLeaderEpoch answers for a stale epoch"
    ),
    cause=(
        "With message.format.version below 0.11 the file of leader epochs is kept and filled. A leader then"
        " answers OffsetForLeaderEpoch with offsets of stale epochs, and followers truncate there."
    ),
    remedy="Upgrade to 2.1.1; raise the message format.",
    sources=("KAFKA-7897", "KAFKA-7601", "recorded from 0.11.0.3 to 3.9.1: format_lowered, phases"),
    affected=Side("2.1.0", config={"log.message.format.version": "0.10.2"}),
    cured=Side("2.1.1", config={"log.message.format.version": "0.10.2"}),
    sees={"there is a file of leader epochs": (True, False)},
)


def story(play: Play) -> None:
    play.topic()
    play.produce(unit(1, records()), 2)
    play.see("there is a file of leader epochs", play.file("t-0/leader-epoch-checkpoint") is not None)
