"""KAFKA-7400: compacted topics keep segments before the log's start."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-7400",
    title="segments before the log's start stay in compacted topics",
    part="segments",
    kind="bug",
    releases="0.11.0.0 - 2.0.1",
    clients=("any admin client",),
    symptom="DeleteRecords frees no space on a compacted topic; disk usage does not go down",
    cause=(
        "Retention only considers topics with the policy delete, so segments below the log start of compacted ones"
        " stay."
    ),
    remedy="Add delete to cleanup.policy for a while; upgrade to 2.1.",
    sources=("KAFKA-7400", "behaviour log.retention_of_compacted"),
    shown="not",
    unshown=(
        "its story is not written; the behaviour log.retention_of_compacted plays it, and that one's tests show"
        " both sides"
    ),
)
