"""KAFKA-12520: a start that finishes an interrupted swap reads the whole log for its producers."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-12520",
    title="a start that finishes an interrupted swap reads the whole log for its producers",
    part="segments",
    kind="bug",
    releases="0.11.0.0 - 2.8.2",
    clients=("operators", "kafka-clients >=0.11.0", "librdkafka >=1.0.0"),
    symptom=(
        "a broker takes hours to start after a crash; Loading producer state from offset 0; Recovering unflushed"
        " segment of a .swap file; large compacted topics"
    ),
    cause=(
        "The broker was killed while the cleaner was putting a segment in the place of others, and finds a .swap file."
        " It recovers that segment as one that may be damaged: its producers' snapshots are dropped, and rebuilt from"
        " the log, which is read from its beginning."
    ),
    remedy="Upgrade to 3.0, which renames such files and reads nothing.",
    sources=("KAFKA-12520", "apache/kafka commit 0b6d6b17856", "recorded from 2.8.2 and 3.0.2: storage_recovery"),
    shown="not",
    unshown=(
        "the same is there after the start, only later; how much is read for it, no client and no file tells. The"
        " recordings of 2.8.2 and 3.0.2 show which files each release keeps"
    ),
)
