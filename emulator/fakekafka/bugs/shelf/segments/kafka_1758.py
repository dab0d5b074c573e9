"""KAFKA-1758: a damaged recovery checkpoint keeps the broker from starting."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-1758",
    title="a damaged recovery checkpoint keeps the broker from starting",
    part="segments",
    kind="bug",
    releases="0.8.0 - 0.8.2.2",
    clients=("operators",),
    symptom=(
        "broker does not start after disk full; NumberFormatException in recovery-point-offset-checkpoint;"
        " IOException, expected entries"
    ),
    cause="A checkpoint file was cut when the disk was full. The broker stops instead of beginning at 0.",
    remedy="Delete the file: everything is recovered; upgrade to 0.9.",
    sources=("KAFKA-1758", "behaviour log_directory.unreadable_checkpoint"),
    shown="not",
    unshown=(
        "its story is not written; the behaviour log_directory.unreadable_checkpoint plays it, and that one's"
        " tests show both sides"
    ),
)
