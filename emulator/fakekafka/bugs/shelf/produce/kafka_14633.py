"""KAFKA-14633: a compressed batch whose records run past its end is stored."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-14633",
    title="a compressed batch whose records run past its end is stored",
    part="produce",
    kind="bug",
    releases="3.6.0 -",
    clients=("any self-made producer",),
    symptom="consumer cannot read one offset; record length beyond the stream; batch was accepted by the broker",
    cause=(
        "Lengths of records in a compressed batch that stays as it is are no longer checked; consumers fail at"
        " the batch."
    ),
    remedy="Repair the producer; skip the batch by seeking past it.",
    sources=("KAFKA-14633", "behaviour append.compressed_reader"),
    shown="not",
    unshown=(
        "its story is not written; the behaviour append.compressed_reader plays it, and that one's tests show"
        " both sides"
    ),
)
