"""GROUP-INITIAL-DELAY: a new group waits three seconds before it begins."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="GROUP-INITIAL-DELAY",
    title="a new group waits three seconds before it begins",
    part="groups",
    kind="era",
    releases="0.11.0.0 -",
    clients=("any consumer group",),
    symptom=(
        "consumer tests take 3 seconds longer since 0.11; first poll returns nothing for 3 seconds; slow start"
        " of the first consumer"
    ),
    cause=(
        "group.initial.rebalance.delay.ms, 3000 by default, holds the first join back so that other members can"
        " come (KIP-134)."
    ),
    remedy="Set group.initial.rebalance.delay.ms=0 in test environments.",
    sources=("no ticket", "behaviour groups.initial_delay"),
    shown="not",
    unshown=("its story is not written; the behaviour groups.initial_delay plays it, and its tests show both sides"),
)
