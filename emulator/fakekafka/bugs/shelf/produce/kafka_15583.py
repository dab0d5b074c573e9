"""KAFKA-15583: min.insync.replicas above the number of replicas refuses everything."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-15583",
    title="min.insync.replicas above the number of replicas refuses everything",
    part="produce",
    kind="era",
    releases="0.8.2.0 - 3.6.2",
    clients=("any producer that waits for all replicas",),
    symptom=(
        "NOT_ENOUGH_REPLICAS for every produce to a topic with one replica; min.insync.replicas=2 and"
        " replication factor 1"
    ),
    cause=(
        "The configured minimum counts even if a topic has fewer replicas. From 3.7 on it is capped at the number"
        " of replicas."
    ),
    remedy="Set min.insync.replicas on the topic; upgrade to 3.7.",
    sources=("KAFKA-15583", "behaviour produce.min_in_sync_capped"),
    shown="not",
    unshown=(
        "its story is not written; the behaviour produce.min_in_sync_capped plays it, and that one's tests show"
        " both sides"
    ),
)
