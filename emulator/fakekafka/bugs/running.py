"""Runs a bug's story on both sides, and compares what was seen with the bug's description."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from fakekafka.bugs.bug import Bug, Seen, Side
from fakekafka.bugs.here import Here
from fakekafka.bugs.play import Play
from fakekafka.bugs.stage import Stage
from fakekafka.errors import UsageError
from fakekafka.releases.release import Release

MakeStage = Callable[[Side], Stage]


class Act(NamedTuple):
    """A story played on one side."""

    side: Side
    narrative: tuple[str, ...]
    seen: dict[str, Seen]
    expected: dict[str, Seen]

    @property
    def as_described(self) -> bool:
        """Whether the observations are exactly those that the bug describes."""
        return self.seen == self.expected


class Run(NamedTuple):
    """The story on both sides."""

    affected: Act
    cured: Act

    @property
    def as_described(self) -> bool:
        """Whether both sides are as the bug describes them."""
        return self.affected.as_described and self.cured.as_described


def run(bug: Bug, release: str | None = None, stage: MakeStage = Here) -> Run:
    """Play the story on the affected and the cured side.

    `release`: another affected release. Raises `UsageError` if there is no story, and for a release that does not have
    the bug, or does not show it in this story.
    """
    if bug.story is None or bug.affected is None or bug.cured is None:
        raise UsageError(f"{bug.id} is not shown: {bug.unshown}")
    affected = bug.affected
    if release is not None:
        wanted = Release.parse(release)
        if wanted not in bug.runs:
            raise UsageError(f"{wanted} does not have {bug.id}: {bug.releases} have it")
        if wanted not in bug.shown_on:
            raise UsageError(f"{wanted} has {bug.id}, but the story shows it on {bug.story_on}: {bug.elsewhere}")
        affected = replace(affected, release=str(wanted))
    return Run(act(bug, affected, 0, stage), act(bug, bug.cured, 1, stage))


def act(bug: Bug, side: Side, expected: int, stage: MakeStage = Here) -> Act:
    """Play the story on one side. `expected`: 0 if the bug should show there, 1 if not."""
    assert bug.story is not None
    play = Play(stage(side), side)
    bug.story(play)
    return Act(side, tuple(play.narrative), play.seen, {name: values[expected] for name, values in bug.sees.items()})
