"""Every field of every area: its dates, its values, its reasons."""

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from functools import cached_property
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from fakekafka.releases.behaviours.admin_orders import AdminOrdersBehaviour
from fakekafka.releases.behaviours.authorization import AuthorizationBehaviour
from fakekafka.releases.behaviours.behaviour import Behaviours, History, fields, resolve
from fakekafka.releases.behaviours.group_orders import GroupOrdersBehaviour
from fakekafka.releases.behaviours.listeners import ListenersBehaviour
from fakekafka.releases.behaviours.metadata_orders import MetadataOrdersBehaviour
from fakekafka.releases.behaviours.orders import OrdersBehaviour
from fakekafka.releases.behaviours.quotas import QuotasBehaviour
from fakekafka.releases.behaviours.sasl import SaslBehaviour
from fakekafka.releases.behaviours.telemetry import TelemetryBehaviour
from fakekafka.releases.behaviours.tls import TlsBehaviour
from fakekafka.releases.profile import Profile, profile
from fakekafka.releases.quirks import QUIRKS, Patch
from fakekafka.releases.release import Release, all_releases

from tests.golden.transcript import RECORDINGS

CITED = re.compile(
    r"KIP-\d+|KAFKA-\d+|CVE-\d|\b[A-Z]\w+\.[a-z]\w+|\((?:[A-Z][a-z]+)+\)|\b[Rr]ecorded\b|\b[Aa]sked of\b"
)
"""A proposal, a ticket, a class and its file or method, a recording, or a question to real brokers."""
RECORDED = re.compile(r"[Rr]ecorded from ([\d.]*\d)(?: (?:to|and) ([\d.]*\d))?: (\w+)")


LATE = (
    AdminOrdersBehaviour,
    AuthorizationBehaviour,
    GroupOrdersBehaviour,
    ListenersBehaviour,
    MetadataOrdersBehaviour,
    OrdersBehaviour,
    QuotasBehaviour,
    SaslBehaviour,
    TelemetryBehaviour,
    TlsBehaviour,
)


def areas() -> list[type[Behaviours]]:
    """The areas of a profile: those that it has from the start, and those that it makes when they are asked for."""
    kinds = [*get_type_hints(Profile).values(), *LATE]
    return [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Behaviours)]


every_area = pytest.mark.parametrize("area", areas(), ids=lambda area: area.__name__)


def docstrings(area: type[Behaviours]) -> dict[str, str]:
    """Field -> the text below it, on one line."""
    (definition,) = ast.parse(inspect.getsource(area)).body
    assert isinstance(definition, ast.ClassDef)
    found = {}
    for line, below in zip(definition.body, definition.body[1:], strict=False):
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            text = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) and below.value.value
            found[line.target.id] = " ".join(str(text or "").split())
    return found


def histories(area: type[Behaviours]) -> Iterator[tuple[str, dict[str, object]]]:
    for name, field in fields(area):
        yield name, dict(field.values)
        if field.kraft is not None:
            yield name, dict(field.kraft)


def questions(area: type[Behaviours]) -> dict[str, tuple[str, ...]]:
    """The properties of an area, each with the fields whose words it tells apart."""
    return {n: each.func.__code__.co_names for n, each in vars(area).items() if isinstance(each, cached_property)}


def test_every_behaviour_is_asked_for_by_code() -> None:
    """A dated field that nothing reads claims something about a release that is not played. It may be read by a
    property of its area, if code reads that.
    """
    emulator = RECORDINGS.parents[2] / "emulator" / "fakekafka"
    texts = (path.read_text("utf-8") for path in emulator.rglob("*.py") if path.parent.name != "behaviours")
    read = {name for text in texts for name in re.findall(r"\.(\w+)", text)}
    for area in areas():
        asked = questions(area)
        assert set(asked) <= read, area
        told_apart = {name for names in asked.values() for name in names}
        assert [name for name, _ in fields(area) if name not in read | told_apart] == [], area


def test_a_profile_has_all_areas() -> None:
    folder = RECORDINGS.parents[2] / "emulator" / "fakekafka" / "releases" / "behaviours"
    modules = {path.stem for path in folder.glob("*.py")} - {
        "__init__",
        "behaviour",
        "order_maps",
        "refusal_words",
    }  # the last two are a vocabulary and a table
    assert {area.__module__.rsplit(".", 1)[1] for area in areas()} == modules
    plain = [area for area in areas() if area not in LATE]
    assert all(Profile.__annotations__[area.__module__.rsplit(".", 1)[1]] is area for area in plain)
    rules = profile(Release.parse("3.9"))
    assert all(isinstance(getattr(rules, area.__module__.rsplit(".", 1)[1]), area) for area in LATE)


@every_area
def test_dates_are_known_ascending_and_complete(area: type[Behaviours]) -> None:
    for _, field in fields(area):
        field.check()


@every_area
def test_every_annotated_name_is_a_history(area: type[Behaviours]) -> None:
    assert [name for name, _ in fields(area)] == list(area.__annotations__)
    assert all(isinstance(vars(area)[name], History) for name in area.__annotations__)


@every_area
def test_values_are_of_the_declared_type(area: type[Behaviours]) -> None:
    hints = get_type_hints(area, vars(sys.modules[area.__module__]))
    for name, values in histories(area):
        if get_origin(hints[name]) is Literal:
            assert set(values.values()) <= set(get_args(hints[name])), name
        elif isinstance(hints[name], type):
            assert all(type(value) is hints[name] for value in values.values()), name


OF_DRAFTS = {"era": {"first draft of KIP-31", "first draft of KIP-98"}, "retention_clock": {"last timestamp"}}
"""Values that no release has, by field: drafts ask for them."""


@every_area
def test_every_value_of_a_closed_set_is_some_release_s_or_repairs_a_quirk(area: type[Behaviours]) -> None:
    hints = get_type_hints(area, vars(sys.modules[area.__module__]))
    all_patches = [patch for row in QUIRKS for patch in row.patches if isinstance(patch, Patch)]
    patches = [patch for patch in all_patches if get_type_hints(Profile)[patch.area] is area]
    for name, field in fields(area):
        if get_origin(hints[name]) is Literal:
            used = {*field.values.values(), *(field.kraft or {}).values()}
            used |= {patch.repaired for patch in patches if patch.field == name} | OF_DRAFTS.get(name, set())
            assert used == set(get_args(hints[name])), name


@every_area
def test_every_field_says_what_it_means_and_how_that_is_known(area: type[Behaviours]) -> None:
    uncited = {name: text for name, text in docstrings(area).items() if not CITED.search(text)}
    assert not uncited


@every_area
def test_recordings_that_are_named_are_there(area: type[Behaviours]) -> None:
    for name, text in docstrings(area).items():
        for first, last, scenario in RECORDED.findall(text):
            for release in filter(None, (first, last)):
                assert list((RECORDINGS / release).glob(f"{scenario}*")), f"{name}: {release} {scenario}"


@every_area
def test_every_release_resolves(area: type[Behaviours]) -> None:
    for release in all_releases():
        for mode in release.modes:
            found = resolve(area, release, mode)
            assert list(vars(found)) == [name for name, _ in fields(area)]
            assert not any(isinstance(value, History) for value in vars(found).values())


@every_area
def test_a_kraft_history_differs_from_the_other(area: type[Behaviours]) -> None:
    for name, field in fields(area):
        if field.kraft is not None:
            releases = [release for release in all_releases() if "kraft" in release.modes]
            assert any(field.at(release, "kraft") != field.at(release, "zk") for release in releases), name


def test_asking_for_a_field_that_no_area_has_fails() -> None:
    found = resolve(areas()[0], Release.parse("2.3"), "zk")
    with pytest.raises(AttributeError):
        found.no_such_thing  # type: ignore[attr-defined]  # noqa: B018
