"""KAFKA-4682: offsets of live groups expire."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-4682",
    title="offsets of live groups expire",
    part="groups",
    kind="era",
    releases="0.8.2.0 - 2.0.1",
    clients=("any consumer group",),
    symptom=(
        "committed offset of an idle topic expired although the consumer runs; consumer jumps to"
        " auto.offset.reset after restart; topic without new messages for a day"
    ),
    cause=(
        "Retention counts from the commit. A consumer of a topic without new records never commits the same"
        " offset again, and loses it."
    ),
    remedy="A longer offsets.retention.minutes; upgrade to 2.1 (KIP-211).",
    sources=("KAFKA-4682", "behaviour offsets.expiry_from"),
    shown="not",
    unshown=("its story is not written; the behaviour offsets.expiry_from plays it, and its tests show both sides"),
)
