"""NULL-RECORDS: null records for a partition end the connection, or get no answer at all."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="NULL-RECORDS",
    title="null records for a partition end the connection, or get no answer at all",
    part="produce",
    kind="bug",
    releases="0.8.0 -",
    clients=("any self-made producer",),
    symptom="produce request hangs for ever; two responses with one correlation id; connection closed",
    cause=(
        "Null records for a partition close the connection up to 2.7, get two answers up to 3.7, and none from"
        " 3.8 on, while the connection stays open."
    ),
    remedy="Leave out partitions without records.",
    sources=("no ticket", "behaviour produce.null_records"),
    shown="not",
    unshown=("its story is not written; the behaviour produce.null_records plays it, and its tests show both sides"),
)
