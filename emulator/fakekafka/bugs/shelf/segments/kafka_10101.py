"""KAFKA-10101: the recovery point goes beyond the log's end after an unclean stop."""

from fakekafka.bugs.bug import Bug

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
    shown="not",
    unshown=(
        "its story is not written; the behaviour log.unclean_recovery_point plays it, and that one's tests show"
        " both sides"
    ),
)
