"""KAFKA-17076: compaction takes the last batch, and the log's end seems to move back."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-17076",
    title="compaction takes the last batch, and the log's end seems to move back",
    part="compaction",
    kind="bug",
    releases="0.11.0.0 - 3.9.1",
    clients=("followers", "any consumer of compacted topics"),
    symptom=(
        "log end offset goes back after compaction and restart; OffsetOutOfRange of a follower; high watermark"
        " beyond log end"
    ),
    cause=("The last batch of what a pass may clean is removed with its records, and its offset is forgotten."),
    remedy="Upgrade to 3.9.2 or 4.0.",
    sources=(
        "KAFKA-17076",
        "apache/kafka commit a577d30d382",
        "apache/kafka#20535",
        "behaviour cleaner.last_batch_kept",
    ),
    shown="not",
    unshown=(
        "a pass always reads new records, and the last of them stays; a broker loses its last batch only over"
        " several passes and elections, which the recordings of storage_compact have and a story does not bring"
        " about"
    ),
)
