"""An upgrade while the client stays connected: it produces and reads in every phase, with the connections that it has
kept open since the first.

A single broker is restarted for most steps: its clients lose the connection and connect again. Three brokers are
restarted one after the other; the others lead meanwhile.
"""

from typing import Final

from fakekafka import Phase

from fakekafka_compat.expectations import expected_in
from fakekafka_compat.stage import Stage
from fakekafka_compat.table import ARROW

EACH: Final = 6
"""How many records are produced in a phase."""


def upgrade(stage: Stage) -> None:
    """Upgrade along the path that the cell's phase names: "0.9.0 -> 0.10.2 -> 0.11.0"."""
    _upgrade(stage, judge_versions=True)


def rolling_upgrade(stage: Stage) -> None:
    """Upgrade several brokers. The versions that are seen cannot be assigned to phases: while one broker stops, another
    serves.
    """
    _upgrade(stage, judge_versions=False)


def _upgrade(stage: Stage, judge_versions: bool) -> None:
    start, *via, to = stage.cell.phase.split(ARROW)
    steps = stage.own_kafka.upgrade(start, to, via=via)
    _in_phase(stage, steps.phases[0], steps.phases[0], judge_versions)
    for step in steps:
        step.apply()
        _in_phase(stage, step.after, steps.phases[0], judge_versions)


def _in_phase(stage: Stage, phase: Phase, connected: Phase, judge_versions: bool) -> None:
    stage.expected = expected_in(stage.client, phase, connected.release)
    records = stage.new(EACH, "once" if stage.client.assigns else "at least once")
    stage.produce(records, keep=True)
    stage.read(EACH, keep=True)
    stage.observe(records, f"{phase.release.line}: {phase.name}", judge_versions)
