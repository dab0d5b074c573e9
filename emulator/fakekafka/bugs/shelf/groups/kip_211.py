"""KIP-211: offsets are kept for seven days instead of one day."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KIP-211",
    title="offsets are kept for seven days instead of one",
    part="groups",
    kind="era",
    releases="0.9.0.0 - 2.0.1",
    clients=("any consumer group",),
    symptom=(
        "committed offsets gone after a day; consumer group reset to latest after a weekend;"
        " offsets.retention.minutes 1440"
    ),
    cause=(
        "Up to 1.1 the default of offsets.retention.minutes is 1440, and up to 2.0 it counts from the commit,"
        " whether the group is alive or not."
    ),
    remedy="Set offsets.retention.minutes; 2.0 has 10080, and 2.1 counts from when the group is empty.",
    sources=("KIP-211", "behaviour offsets.expiry_from"),
    shown="not",
    unshown=("its story is not written; the behaviour offsets.expiry_from plays it, and its tests show both sides"),
)
