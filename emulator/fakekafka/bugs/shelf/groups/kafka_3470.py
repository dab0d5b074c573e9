"""KAFKA-3470: a member that only commits is thrown out."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-3470",
    title="a member that only commits is thrown out",
    part="groups",
    kind="bug",
    releases="0.9.0.0 - 0.9.0.1",
    clients=("kafka-clients =0.9", "kafka-python"),
    symptom=(
        "CommitFailedException; group rebalances although members commit regularly; session timeout while processing"
    ),
    cause="Only heartbeats and joins count as signs of life, commits do not.",
    remedy="A longer session.timeout.ms; upgrade to 0.10.",
    sources=("KAFKA-3470", "behaviour offsets.commit_keeps_session"),
    shown="not",
    unshown=(
        "its story is not written; the behaviour offsets.commit_keeps_session plays it, and that one's tests"
        " show both sides"
    ),
)
