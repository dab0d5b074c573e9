"""Every change of a behaviour from one release to the next, as the histories of `releases/behaviours` have it."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import NamedTuple, TypeAlias
from unittest.mock import patch

from fakekafka.releases import profile
from fakekafka.releases.behaviours.behaviour import Behaviours, History, fields
from fakekafka.releases.release import Mode, Release, starting
from fakekafka.settings import blueprint

from tests.emulator.releases.behaviours.test_areas import areas

Read: TypeAlias = tuple[type[Behaviours], str]
"""A field that code has read, with its area."""


class Change(NamedTuple):
    """An entry of a history after its first: what held before it, and what holds from its date on."""

    area: type[Behaviours]
    field: str
    date: str
    before: object
    after: object
    begins: Release
    """The first release of the value before it."""
    ends: Release | None
    """The first release of the next value; None if this value still holds."""
    modes: tuple[Mode, ...]
    """The modes to which the change applies."""

    @property
    def name(self) -> str:
        """ "fetch.own_replica 2.4"; followed by "kraft" where that mode has its own history."""
        module = self.area.__module__.rpartition(".")[2]
        return f"{module}.{self.field} {self.date}{' kraft' if self.modes == ('kraft',) else ''}"

    @property
    def read(self) -> "Read":
        """What code that heeds the change reads."""
        return self.area, self.field

    def other(self, release: Release) -> object:
        """The one of the two values that `release` does not have."""
        return self.before if release >= starting(self.date) else self.after

    def concerns(self, release: Release, mode: Mode) -> bool:
        """Whether `release` has one of the two values because of this change."""
        return mode in self.modes and self.begins <= release and (self.ends is None or release < self.ends)


def all_changes() -> Iterator[Change]:
    """Every change, by area and field, oldest first."""
    for area in areas():
        for name, field in fields(area):
            yield from _of(area, name, field)


def _of(area: type[Behaviours], name: str, field: History) -> Iterator[Change]:
    shared: tuple[Mode, ...] = ("zk", "kraft")
    histories = [(field.values, shared if field.kraft is None else shared[:1])]
    if field.kraft is not None:
        histories.append((field.kraft, shared[1:]))
    for values, modes in histories:
        dates = list(values)
        ends = [*map(starting, dates[2:]), None][: len(dates) - 1]
        for (earlier, date), end in zip(pairwise(dates), ends, strict=True):
            yield Change(area, name, date, values[earlier], values[date], starting(earlier), end, modes)


@contextmanager
def supposing(area: type[Behaviours], name: str, value: object) -> Iterator[None]:
    """Inside the block, all releases have this value in a field."""
    field: History = vars(area)[name]
    kept = field.values, field.kraft
    field.values, field.kraft = {"0.8.0": value}, None
    _forget_profiles()
    try:
        yield
    finally:
        field.values, field.kraft = kept
        _forget_profiles()


@contextmanager
def noting_reads() -> Iterator[set[Read]]:
    """Inside the block, every field of a behaviour that code reads is noted."""
    noted: set[Read] = set()

    def noting(self: Behaviours, name: str) -> object:
        if isinstance(vars(type(self)).get(name), History):
            noted.add((type(self), name))
        return object.__getattribute__(self, name)

    _forget_profiles()
    with patch.object(Behaviours, "__getattribute__", noting):
        yield noted


def _forget_profiles() -> None:
    for cached in (
        profile._profile,
        profile._sasl,
        profile._quotas,
        profile._tls,
        profile._authorization,
        profile._admin_orders,
        profile._orders,
        profile._listeners,
        blueprint._played,
        blueprint._config_of_release,
    ):
        cached.cache_clear()
