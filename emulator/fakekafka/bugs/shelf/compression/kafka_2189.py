"""KAFKA-2189: snappy batches compress far less in 0.8.2.1 than in 0.8.2.0."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-2189",
    title="snappy batches compress far less in 0.8.2.1 than in 0.8.2.0",
    part="compression",
    kind="bug",
    releases="0.8.2.1",
    clients=("any producer with snappy",),
    symptom=(
        "snappy compressed topics take 2 to 4 times more disk and network after the patch upgrade 0.8.2.0 to 0.8.2.1"
    ),
    cause=(
        "snappy-java 1.1.1.6 makes a block of every small write, and a broker writes message by message when it"
        " rebuilds a set."
    ),
    remedy="Upgrade to 0.8.2.2, which has snappy-java 1.1.1.7.",
    sources=("KAFKA-2189",),
    shown="not",
    unshown=(
        "the defect is in the Java library, which is not part of the emulator; sizes of its blocks were not recorded"
    ),
)
