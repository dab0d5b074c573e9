"""The group coordinator in Java before it became the default: 3.7 to 3.9 have it beside the one in Scala.

Switched on, it serves all groups, classic ones included, as it does in 4.0.
"""

from typing import Final

from fakekafka.releases.behaviours.behaviour import Area, fields
from fakekafka.releases.release import starting

FIRST_BY_DEFAULT: Final = "4.0"
OF_COORDINATOR: Final = frozenset({
    "coordinator", "initial_delay_extended_for", "new_group_record", "tombstone_of_generation_0",
    "described_assignment", "duplicate_commit", "numbered_batches", "tombstones", "groups_outlive_offsets",
    "load_applies", "map_order", "expired_order",
})  # fmt: skip
"""The behaviours that depend on the coordinator and not on the release."""


def of_java_coordinator(area: Area) -> Area:
    """`groups` with the behaviours of the coordinator in Java."""
    kind, since = type(area), starting(FIRST_BY_DEFAULT)
    instance = object.__new__(kind)
    later = {name: field.at(since, "kraft") for name, field in fields(kind) if name in OF_COORDINATOR}
    instance.__dict__.update(vars(area) | later)
    return instance
