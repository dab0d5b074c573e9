"""KAFKA-5316: a rewritten set that needs more room than was read stops the cleaner."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-5316",
    title="a rewritten set that needs more room than was read stops the cleaner",
    part="compaction",
    kind="bug",
    releases="0.8.1.0 - 0.10.2.1",
    clients=("any producer with compression",),
    symptom="BufferOverflowException in the log cleaner; compaction of compressed topics stops after the upgrade",
    cause=(
        "What a pass writes may be larger than what it read, when sets are recompressed or converted. The"
        " buffer of the output does not grow."
    ),
    remedy="Upgrade to 0.10.2.2.",
    sources=("KAFKA-5316", "behaviour cleaner.larger_output"),
    shown="not",
    unshown=("its story is not written; the behaviour cleaner.larger_output plays it, and its tests show both sides"),
)
