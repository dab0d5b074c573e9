"""KAFKA-7283: indexes are no longer checked at startup."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-7283",
    title="indexes are no longer checked at start",
    part="segments",
    kind="era",
    releases="2.3.0 -",
    clients=("operators",),
    symptom=(
        "corrupt index is used silently; consumer gets wrong offsets after a crash; broker starts faster but"
        " finds nothing with offsetsForTimes"
    ),
    cause="To start sooner, brokers check indexes only when they are first used, and after a clean stop not at all.",
    remedy="Delete the index files of the partition: they are built again at the next start.",
    sources=("KAFKA-7283", "behaviour log.index_check"),
    shown="not",
    unshown="its story is not written; the behaviour log.index_check plays it, and its tests show both sides",
)
