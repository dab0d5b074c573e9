"""KAFKA-9212: a stale leader epoch in Metadata makes consumers loop."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-9212",
    title="a stale leader epoch in Metadata makes consumers loop",
    part="negotiation",
    kind="bug",
    releases="2.3.0 - 2.3.1",
    clients=("kafka-clients =2.3",),
    symptom=(
        "FENCED_LEADER_EPOCH 74 for ever; consumer loops between Metadata and ListOffsets after a reassignment;"
        " Attempt to fetch offsets failed due to fenced leader epoch"
    ),
    cause=(
        "After a reassignment the epoch in Metadata 7 is not the leader's. A consumer that sends"
        " it along is refused, asks again, and gets the same."
    ),
    remedy="Restart the controller, or upgrade to 2.4.",
    sources=("KAFKA-9212",),
    shown="not",
    unshown="metadata and leader are one state here, and cannot be out of step",
)
