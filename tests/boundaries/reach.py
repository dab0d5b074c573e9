"""Which sides of a change real brokers can show at all: those with a release in Maven's registry, in a mode to which
the change applies.
"""

from typing import Final

from fakekafka.releases.release import Release, all_releases, starting

from tests.boundaries.changes import Change

OLDEST: Final = Release.parse("0.8.2.0")
"""Maven's registry has no older brokers."""


def without(change: Change) -> list[Release]:
    """The releases that have the value before the change."""
    return [one for one in _released(change) if change.begins <= one < starting(change.date)]


def with_it(change: Change) -> list[Release]:
    """The releases that have the value from the change on."""
    since = [one for one in _released(change) if one >= starting(change.date)]
    return since if change.ends is None else [one for one in since if one < change.ends]


def is_out_of_reach(change: Change) -> bool:
    """Whether one side has no release that could be asked, so that the change is not held between two."""
    return not without(change) or not with_it(change)


def _released(change: Change) -> list[Release]:
    published = [one for one in all_releases() if one >= OLDEST and not one.provisional]
    return [one for one in published if set(one.modes) & set(change.modes)]
