"""KAFKA-7415: leader epochs contradict each other after an election without data."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="KAFKA-7415",
    title="leader epochs contradict each other after an election without data",
    part="transactions",
    kind="bug",
    releases="0.11.0.0 - 2.0.0",
    clients=("followers",),
    symptom=(
        "OffsetForLeaderEpoch gives a wrong end; follower truncates too much or not enough after several"
        " elections; data loss, divergence"
    ),
    cause="An epoch is noted when its leader first appends, and one that does not fit after the last is ignored.",
    remedy="Upgrade to 2.0.1.",
    sources=("KAFKA-7415", "apache/kafka commit 18b25773b11", "behaviour log.epoch_assignment"),
    affected=Side("2.0.0"),
    cured=Side("2.0.1"),
    sees={"leader epochs after an append": ([7], [0])},
)


def story(play: Play) -> None:
    play.topic()
    play.produce(batch(), 6)
    play.tell("the file of leader epochs has an epoch 7 from the log's beginning on; a leader of epoch 0 goes on")
    play.edit({"t-0/leader-epoch-checkpoint": b"0\n1\n7 0\n"})
    play.produce(batch(), 6)
    lines = (play.file("t-0/leader-epoch-checkpoint") or b"").decode().splitlines()[2:]
    play.see("leader epochs after an append", [int(line.split()[0]) for line in lines])
