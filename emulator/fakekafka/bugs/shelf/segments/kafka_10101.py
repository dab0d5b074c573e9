"""KAFKA-10101: the recovery point jumps to the log's end after an unclean stop, though nothing was flushed."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="KAFKA-10101",
    title="the recovery point jumps to the log's end after an unclean stop, though nothing was flushed",
    part="segments",
    kind="bug",
    releases="1.0.0 - 2.7.2",
    clients=("operators",),
    symptom="data lost after a second crash; segments are not recovered; recovery point beyond what was flushed",
    cause=(
        "A start after an unclean stop checks what lies after the recovery point, and then moves the recovery point to"
        " the log's end without flushing. If the machine dies before anything is flushed, what was lost or damaged lies"
        " before the recovery point, and the next start does not check it."
    ),
    remedy="Upgrade to 2.8.",
    sources=("KAFKA-10101", "apache/kafka commit 50027154854", "behaviour log.unclean_recovery_point"),
    affected=Side("2.7.2"),
    cured=Side("2.8.2"),
    sees={"recovery point": (3, 1)},
)


def story(play: Play) -> None:
    play.topic()
    play.produce(batch(), 7)
    play.tell("the broker dies; its data was flushed up to offset 1")
    play.edit({"recovery-point-offset-checkpoint": b"0\n1\nt 0 1\n"}, crash=True)
    play.advance(120_000)
    lines = (play.file("recovery-point-offset-checkpoint") or b"").split()
    play.see("recovery point", int(lines[-1]))
