"""KAFKA-1758: a damaged recovery checkpoint keeps the broker from starting."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records, unit

BUG = Bug(
    id="KAFKA-1758",
    title="a damaged recovery checkpoint keeps the broker from starting",
    part="segments",
    kind="bug",
    releases="0.8.1.0 - 0.8.2.2",
    clients=("operators",),
    symptom=(
        "broker does not start after disk full; NumberFormatException in recovery-point-offset-checkpoint;"
        " IOException, expected entries"
    ),
    cause="A checkpoint file was cut when the disk was full. The broker stops instead of beginning at 0.",
    remedy="Delete the file: everything is recovered; upgrade to 0.9.",
    sources=("KAFKA-1758", "apache/kafka commit 19c98cb8ed6", "behaviour log_directory.unreadable_checkpoint"),
    affected=Side("0.8.2.2"),
    cured=Side("0.9.0.1"),
    sees={"with a damaged recovery checkpoint the broker": ("does not start", "starts")},
)


def story(play: Play) -> None:
    play.topic()
    play.produce(unit(0, records(time=-1)), 0)
    outcome = play.edit({"recovery-point-offset-checkpoint": b"nonsense\n"})
    play.see("with a damaged recovery checkpoint the broker", outcome)
