"""KAFKA-3959: the offsets topic is created with too few replicas."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-3959",
    title="the offsets topic is created with too few replicas",
    part="groups",
    kind="bug",
    releases="0.8.2.0 - 0.10.2.2",
    clients=("any consumer group",),
    symptom=(
        "__consumer_offsets has replication factor 1; groups unavailable when one broker stops; offsets lost"
        " with a broker"
    ),
    cause=(
        "The topic is created when the first group appears. With too few brokers at that moment it gets fewer"
        " replicas, for good."
    ),
    remedy="Reassign its partitions with more replicas; 0.11 waits until there are enough brokers.",
    sources=("KAFKA-3959", "behaviour offsets.too_few_brokers"),
    shown="not",
    unshown=("its story is not written; the behaviour offsets.too_few_brokers plays it, and its tests show both sides"),
)
