"""Operations that upgrade a cluster from release to release."""

from collections.abc import Sequence
from typing import NamedTuple

from fakekafka.control.desk import Desk
from fakekafka.errors import UsageError
from fakekafka.releases.phases import Phase
from fakekafka.upgrade.leftovers import Leftover


class UpgradeStep(NamedTuple):
    """One step: from a phase to the next."""

    name: str
    before: Phase
    after: Phase


def upgrade_steps(desk: Desk, to: str, via: Sequence[str] = ()) -> list[UpgradeStep]:
    """The steps of the documented way from the cluster's present phase to release `to`."""
    return [UpgradeStep(step.name, step.before, step.after) for step in desk.kafka.upgrade(to=to, via=via)]


def apply_upgrade_step(desk: Desk, to: str, step: str, via: Sequence[str] = ()) -> Phase:
    """Apply the step with this name on the way to release `to`. Returns the phase in which the cluster is then."""
    phase = desk.kafka.upgrade(to=to, via=via)[step]
    phase.apply()
    desk.last_step = phase
    return desk.kafka.phase


def roll_back_upgrade_step(desk: Desk) -> list[Leftover]:
    """Undo the step that was applied last. Returns what is left behind."""
    if desk.last_step is None:
        raise UsageError("no step of an upgrade was applied here")
    return desk.last_step.rollback()
