"""Which cells a real broker cannot play, because the tool does not own it."""

from fakekafka.releases.release import Release
from fakekafka_spark.observations import Cell

from fakekafka_compat.caps import Caps
from fakekafka_compat.logins import mechanism_of
from fakekafka_compat.scenarios import scenario_of
from fakekafka_compat.table import UPGRADES

FIRST_WITH_CREATE_TOPICS = Release.parse("0.10.1")
"""The first release with CreateTopics, by which the tool creates topics (KIP-4)."""


def not_against(cell: Cell) -> str | None:
    """Why a cell cannot be played on a real broker, or None."""
    if cell.scenario in UPGRADES or cell.phase:
        return "--against: an upgrade needs a broker that the tool may stop"
    if mechanism_of(cell.scenario) is not None:
        return "--against: the tool makes no users"
    if Caps.of(cell.scenario) != Caps():
        return "--against: a real broker advertises what it has"
    if scenario_of(cell.scenario)[0].draft:
        return "--against: no release plays a draft"
    if Release.parse(cell.release) < FIRST_WITH_CREATE_TOPICS:
        return f"--against: {cell.release} has no CreateTopics (KIP-4)"
    return None
