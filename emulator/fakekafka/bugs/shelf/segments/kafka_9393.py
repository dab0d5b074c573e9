"""KAFKA-9393: many producers make deletion of records slow."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-9393",
    title="many producers make deletion of records slow",
    part="segments",
    kind="bug",
    releases="0.11.0.0 - 2.7.2",
    clients=("kafka-clients >=0.11.0",),
    symptom=(
        "DeleteRecords or retention takes seconds; request handler threads blocked listing a directory;"
        " kafka-streams repartition topics"
    ),
    cause="Old producer snapshots are looked for by listing the directory each time.",
    remedy="Upgrade to 2.8.",
    sources=("KAFKA-9393", "apache/kafka commit 24290de8282", "behaviour log.snapshot_cleanup"),
    shown="not",
    unshown=("what differs is how long it takes to list a directory, and the emulator does not list one"),
)
