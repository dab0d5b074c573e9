"""KAFKA-10101: the recovery point goes beyond the log's end after an unclean stop."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="KAFKA-10101",
    title="the recovery point goes beyond the log's end after an unclean stop",
    part="segments",
    kind="bug",
    releases="1.0.0 - 2.7.2",
    clients=("operators",),
    symptom="data lost after a second crash; segments are not recovered; recovery point larger than log end",
    cause=(
        "After recovery the recovery point is set to the end although nothing was flushed, so that a second"
        " crash recovers too little."
    ),
    remedy="Upgrade to 2.8.",
    sources=("KAFKA-10101", "behaviour log.unclean_recovery_point"),
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
