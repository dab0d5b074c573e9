"""KAFKA-13149: an invalid record body gets -1 instead of a proper error."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-13149",
    title="an invalid record body gets -1 instead of a proper error",
    part="produce",
    kind="bug",
    releases="0.11.0.0 - 3.0.0",
    clients=("any self-made producer",),
    symptom="UNKNOWN_SERVER_ERROR -1 for a malformed batch; NullPointerException in DefaultRecord on the broker",
    cause=(
        "A batch with a good checksum and a record whose declared length or number of headers is nonsense made"
        " the reader return null."
    ),
    remedy="Repair the producer; 3.0.1 and 3.1.0 answer with a proper error.",
    sources=("KAFKA-13149", "recorded from 0.11.0.3 to 4.3.1: produce_refusals, shapes that give 2 or 87"),
    shown="not",
    unshown=(
        "the shape that triggers it is not known: each of the eight malformed shapes that were recorded gives 2"
        " or 87 in every release"
    ),
)
