"""An upgrade while the client stays connected: it produces and reads in every phase, with what it has open since the
first.

The broker is one, started anew for most steps: its clients lose the connection and connect again.
"""

from typing import Final

from fakekafka import Phase

from fakekafka_compat.expectations import expected_in
from fakekafka_compat.stage import Stage
from fakekafka_compat.table import ARROW

EACH: Final = 6
"""Records in a phase."""


def upgrade(stage: Stage) -> None:
    """Along the way that the cell's phase names: "0.9.0 -> 0.10.2 -> 0.11.0"."""
    start, *via, to = stage.cell.phase.split(ARROW)
    steps = stage.kafka.upgrade(start, to, via=via)
    _in_phase(stage, steps.phases[0], steps.phases[0])
    for step in steps:
        step.apply()
        _in_phase(stage, step.after, steps.phases[0])


def _in_phase(stage: Stage, phase: Phase, connected: Phase) -> None:
    stage.expected = expected_in(stage.client, phase, connected.release)
    records = stage.new(EACH)
    stage.produce(records, keep=True)
    stage.read(EACH, keep=True)
    stage.look(records, phase=f"{phase.release.line}: {phase.name}")
