from functools import cached_property

import pytest
from fakekafka.errors import UsageError
from fakekafka.releases.behaviours.behaviour import Behaviours, fields, history, resolve
from fakekafka.releases.release import Mode, Release


class Weather(Behaviours):
    """An area for these tests."""

    rain: bool = history({"0.8.0": False, "2.5.1": True})
    """Whether it is wet. KIP-1."""
    wind: int = history({"0.8.0": 1, "3.0": 2}, kraft={"2.8": 8, "4.0": 9})
    """How strong. KAFKA-1."""

    @cached_property
    def is_stormy(self) -> bool:
        return self.wind > 8


def weather(release: str, mode: Mode) -> tuple[bool, int]:
    found = resolve(Weather, Release.parse(release), mode)
    return found.rain, found.wind


@pytest.mark.parametrize(
    ("release", "mode", "expected"),
    [
        ("0.8.0", "zk", (False, 1)),
        ("2.5.0", "zk", (False, 1)),
        ("2.5.1", "zk", (True, 1)),
        ("3.0", "zk", (True, 2)),
        ("2.8", "kraft", (True, 8)),
        ("3.9", "kraft", (True, 8)),
        ("4.0", "kraft", (True, 9)),
    ],
)
def test_a_field_has_the_value_of_its_release_and_mode(release: str, mode: Mode, expected: tuple[bool, int]) -> None:
    assert weather(release, mode) == expected


def test_a_release_s_behaviour_cannot_be_changed() -> None:
    found = resolve(Weather, Release.parse("2.3"), "zk")
    with pytest.raises(UsageError, match=r"Weather\.rain"):
        found.rain = True
    assert not found.rain


def test_releases_do_not_share_values() -> None:
    old, new = (resolve(Weather, Release.parse(line), "zk") for line in ("2.3", "3.0"))
    assert (old.rain, new.rain) == (False, True)


def test_a_copy_with_another_value_has_its_own_answers() -> None:
    found = resolve(Weather, Release.parse("2.3"), "zk")
    assert not found.is_stormy
    assert found.with_value("wind", 9).is_stormy


def test_fields_come_in_the_order_in_which_they_are_written() -> None:
    assert [name for name, _ in fields(Weather)] == ["rain", "wind"]


class Late(Behaviours):
    """A mistake: 0.8.0 has no value."""

    field: int = history({"0.9.0": 1})


class Repeating(Behaviours):
    """A mistake: the second value is the first."""

    field: int = history({"0.8.0": 1, "2.3": 1})


class Disordered(Behaviours):
    """A mistake: the second release is older than the first."""

    field: int = history({"0.8.0": 1, "2.3": 2, "2.2": 3})


class Misspelt(Behaviours):
    """A mistake: there is no 2.9."""

    field: int = history({"0.8.0": 1, "2.9": 2})


class LateKraft(Behaviours):
    """A mistake: 2.8 has no value under KRaft."""

    field: int = history({"0.8.0": 1}, kraft={"3.3": 2})


@pytest.mark.parametrize("area", [Late, Repeating, Disordered, Misspelt, LateKraft], ids=lambda area: area.__name__)
def test_a_history_with_a_mistake_is_refused_when_checked(area: type[Behaviours]) -> None:
    ((_, field),) = fields(area)
    with pytest.raises(UsageError):
        field.check()
