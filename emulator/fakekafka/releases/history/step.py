"""One cited change of the API table, and the table that checks it.

An `ApiStep` says why and what: keys that come, maxima that rise, minima that move, keys that one controller mode gains
or loses. `ApiTable.apply` refuses a step that does not fit what came before: a maximum rises by one, a key comes once,
a minimum moves in the direction stated. So a mistake in the history shows as soon as the tables are built.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from fakekafka.ids import ApiKey
from fakekafka.releases.release import Mode


class Versions(NamedTuple):
    """The versions of one API that a broker serves, both ends included."""

    low: int
    high: int

    def __contains__(self, version: object) -> bool:
        return isinstance(version, int) and self.low <= version <= self.high


class ApiStep(NamedTuple):
    """One change and its reason."""

    why: str
    """KIP, ticket or broker class, and what the change was for."""
    new: Mapping[ApiKey, int] = {}
    """Keys that come, each with its newest version; served from version 0 unless `low` says otherwise."""
    up: Mapping[ApiKey, int] = {}
    """Keys whose newest version rises by one, to this number."""
    low: Mapping[ApiKey, int] = {}
    """Keys whose oldest version rises to this number."""
    reopened: Mapping[ApiKey, int] = {}
    """Keys whose oldest version falls back to this number."""
    unstable: Mapping[ApiKey, int] = {}
    """Versions (or whole keys) served only with `unstable.api.versions.enable`, until `up` or `new` brings them."""
    only: Mode | None = None
    """The one mode that `new` and `unstable` keys are for."""
    joins: tuple[ApiKey, ...] = ()
    """Known keys that the mode `only` begins to serve."""
    leaves: tuple[ApiKey, ...] = ()
    """Keys that the mode `only` stops serving."""


class DoesNotFit(Exception):
    """A step that contradicts the steps before it: the history has a mistake."""


ZK: Final = "zk"
KRAFT: Final = "kraft"
_NEVER: Final = Versions(-2, -2)
"""Stands for the range of a key that the table does not have: no step fits it."""


class ApiTable:
    """The API versions of one release, grown step by step from nothing."""

    def __init__(self) -> None:
        self.ranges: dict[ApiKey, Versions] = {}
        self.unstable: dict[ApiKey, int] = {}
        self.served: dict[Mode, set[ApiKey]] = {ZK: set(), KRAFT: set()}

    def apply(self, step: ApiStep) -> None:
        """Carry out `step`. Raises `DoesNotFit`."""
        self._ranges(step)
        self._unstable(step)
        self._modes(step)

    def _ranges(self, step: ApiStep) -> None:
        for key, high in step.new.items():
            _require(key not in self.ranges, step, f"{key.name} is not new")
            self.ranges[key] = Versions(0, high)
        for key, high in step.up.items():
            low, newest = self.ranges.get(key, _NEVER)
            _require(high == newest + 1, step, f"{key.name} cannot rise from {newest} to {high}")
            self.ranges[key] = Versions(low, high)
        for key, low in step.low.items():
            oldest, high = self.ranges.get(key, _NEVER)
            _require(oldest < low <= high, step, f"the oldest {key.name} cannot rise from {oldest} to {low}")
            self.ranges[key] = Versions(low, high)
        for key, low in step.reopened.items():
            oldest, high = self.ranges.get(key, _NEVER)
            _require(0 <= low < oldest, step, f"the oldest {key.name} cannot fall from {oldest} to {low}")
            self.ranges[key] = Versions(low, high)

    def _unstable(self, step: ApiStep) -> None:
        for key in (*step.new, *step.up):
            if self.unstable.get(key, -1) <= self.ranges[key].high:
                self.unstable.pop(key, None)
        for key, version in step.unstable.items():
            newest = self.ranges[key].high if key in self.ranges else -1
            _require(version == newest + 1, step, f"unstable {key.name} {version} is not the next after {newest}")
            self.unstable[key] = version

    def _modes(self, step: ApiStep) -> None:
        modes: tuple[Mode, ...] = (ZK, KRAFT) if step.only is None else (step.only,)
        _require(step.only is not None or not (step.joins or step.leaves), step, "joins and leaves, but no mode")
        for mode in modes:
            served = self.served[mode]
            joins_well = served.isdisjoint(step.joins) and self.ranges.keys() >= set(step.joins)
            _require(joins_well, step, "a key that joins is served already, or unknown")
            _require(served.issuperset(step.leaves), step, "a key that leaves is not served")
            served.update(step.new, step.joins, (k for k in step.unstable if k not in self.ranges))
            served.difference_update(step.leaves)


def _require(condition: bool, step: ApiStep, problem: str) -> None:
    if not condition:
        raise DoesNotFit(f"{step.why}: {problem}")
