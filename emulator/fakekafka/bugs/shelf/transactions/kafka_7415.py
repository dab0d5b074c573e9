"""KAFKA-7415: leader epochs contradict each other after an election without data."""

from fakekafka.bugs.bug import Bug

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
    sources=("KAFKA-7415", "behaviour log.epoch_assignment"),
    shown="not",
    unshown=("its story is not written; the behaviour log.epoch_assignment plays it, and its tests show both sides"),
)
