"""Which designs that Kafka never shipped a cluster plays; none, as a rule. Their names are in `drafts.known`."""

from typing import Final, NamedTuple


class Drafts(NamedTuple):
    """What is switched on."""

    names: tuple[str, ...] = ()
    """As they were asked for, without their settings."""
    plugin_id_at: int | None = None
    """The first of the attribute bits that hold a plug-in's id (KIP-984); None: there are no plug-ins."""
    atomic_offset_log: bool = False
    """Whether committed offsets are kept as the first design had them: `coordinators.groups.atomic`."""


NO_DRAFTS: Final = Drafts()
