"""KIP-915: a newer record in the offsets topic stops its loading."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KIP-915",
    title="a newer record in the offsets topic stops its loading",
    part="groups",
    kind="era",
    releases="0.9.0.0 - 3.4.0",
    clients=("any consumer group",),
    symptom=(
        "all groups lost after a downgrade from 4.0; Unknown group metadata message version,"
        " IllegalStateException while loading; downgrade breaks consumers"
    ),
    cause=(
        "A newer coordinator has written a kind of record that is unknown. Loading stops there, and what follows"
        " is not loaded."
    ),
    remedy="Go back to 3.4.1 or later only.",
    sources=("KIP-915", "behaviour offsets.unknown_record"),
    shown="not",
    unshown=("its story is not written; the behaviour offsets.unknown_record plays it, and its tests show both sides"),
)
