"""Which designs that Kafka never shipped a cluster plays; none, as a rule. Their names are in `drafts.known`."""

from typing import Final, NamedTuple

from fakekafka.log.config import DraftTimeIndex


class Drafts(NamedTuple):
    """What is switched on."""

    names: tuple[str, ...] = ()
    """The names as they were asked for, without their settings."""
    plugin_id_at: int | None = None
    """The first of the attribute bits that hold a plug-in's id (KIP-984); None: there are no plug-ins."""
    stamped_by_broker: bool = False
    """Whether sets are appended as KIP-31's first text has it."""
    first_sets: bool = False
    """Whether records are stored as KIP-98's first draft had them, except in internal topics."""
    times_by: DraftTimeIndex | None = None
    """The index in which offsets are looked up by time; None: KIP-33's as it was shipped."""
    atomic_offset_log: bool = False
    """Whether committed offsets are kept as the first design had them: `coordinators.groups.offsets.atomic`."""


NO_DRAFTS: Final = Drafts()
