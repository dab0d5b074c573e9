"""KAFKA-4451: a follower cannot append where offsets leave a large gap."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-4451",
    title="a follower cannot append where offsets leave a large gap",
    part="segments",
    kind="bug",
    releases="0.8.0 - 0.10.1.1",
    clients=("followers",),
    symptom=(
        "ReplicaFetcherThread dies; IllegalArgumentException, offset is larger than Integer.MaxValue relative to"
        " base; follower of a compacted partition never catches up"
    ),
    cause=(
        "Offsets of a compacted log jump by more than 2**31. The active segment does not end for that, and its"
        " index cannot hold the entry."
    ),
    remedy="Upgrade to 0.10.2; deleting the follower's copy or raising log.segment.bytes does not help.",
    sources=("KAFKA-4451", "apache/kafka commit e36e8079d8a", "behaviour log.roll_at_offset_overflow"),
    shown="not",
    unshown=(
        "a copied log with offsets so far apart gets negative entries in the index of 0.10.1.1, as asked of it; the"
        " emulator writes none"
    ),
)
