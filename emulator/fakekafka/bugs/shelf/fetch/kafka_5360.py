"""KAFKA-5360: a conversion that begins within a batch sends what lies before the fetch offset."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-5360",
    title="a conversion that begins within a batch sends what lies before the fetch offset",
    part="fetch",
    kind="fault",
    releases="0.11.0.0",
    clients=("librdkafka <0.11.0",),
    symptom="duplicates in old consumers after a seek; records before the fetch offset are delivered",
    cause=(
        "Candidates of 0.11.0.0 converted a whole batch of format 2 although the fetch asked for an offset in"
        " its middle."
    ),
    remedy="Nothing to do: no release has it.",
    sources=("KAFKA-5360",),
    shown="not",
    unshown=("it was repaired before 0.11.0.0 came out, so no release has it; the double does what the releases do"),
)
