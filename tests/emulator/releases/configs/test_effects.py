"""Every property of every release: played, named by a warning and `explain()`, or of no consequence to clients."""

import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import fakekafka
import pytest
from fakekafka import FakeKafka
from fakekafka.errors import FakeKafkaError
from fakekafka.releases.configs import broker_configs, unplayed_security
from fakekafka.releases.configs.definition import ConfigDef
from fakekafka.releases.configs.effects import CLASSES_PLAYED, PLAYED, UNPLAYED, UNSEEN, fits, unplayed
from fakekafka.releases.configs.plugins import plugin_property
from fakekafka.releases.configs.values import ConfigType
from fakekafka.releases.release import LAST_PATCH, Release

SOURCES: Final = Path(fakekafka.__file__ or "").parent
NAMES: Final = sorted({name for line in LAST_PATCH for name in broker_configs(Release.parse(line))})


@cache
def code() -> str:
    """Everything but the tables."""
    files = [path for path in SOURCES.rglob("*.py") if path.parent != SOURCES / "releases" / "configs"]
    return "\n".join(path.read_text("utf-8") for path in files)


def is_named(name: str) -> bool:
    """Whether a warning would name it."""
    return unplayed(name) is not None or unplayed_security.unplayed(name) is not None


@pytest.mark.parametrize("name", NAMES)
def test_every_property_is_played_or_named_or_of_no_consequence(name: str) -> None:
    is_played = f'"{name}"' in code() or fits(name, PLAYED)
    assert is_played or is_named(name) or fits(name, UNSEEN)


@pytest.mark.parametrize("name", sorted(name for name in (*PLAYED, *UNSEEN) if "*" not in name))
def test_the_two_tables_agree_about_every_name(name: str) -> None:
    assert not is_named(name)
    assert not (name in PLAYED and name in UNSEEN)


def test_every_pattern_fits_a_property() -> None:
    patterns = (*PLAYED, *UNPLAYED, *UNSEEN)
    assert [pattern for pattern in patterns if not any(fits(name, [pattern]) for name in NAMES)] == []


# ---- each property is set


def other_values(definition: ConfigDef) -> Iterator[str]:
    """Values that differ from the default, some of which a release may refuse."""
    default = definition.default or ""
    match definition.kind:
        case ConfigType.BOOLEAN:
            yield "false" if default == "true" else "true"
        case ConfigType.INT | ConfigType.SHORT | ConfigType.LONG | ConfigType.DOUBLE:
            number = float(default or 0)
            for near in (number + 1, number - 1, number * 2, number / 2, 5, 100, 1 << 20):
                if near != number:
                    yield str(near if definition.kind is ConfigType.DOUBLE else int(near))
        case _:
            yield from (text for text in KNOWN_TEXTS if text != default)


BY_VALUE: Final = ("authorizer.class.name", *CLASSES_PLAYED)
"""Properties that are played with some values, and named with others; other tests cover them."""
KNOWN_TEXTS: Final = (
    "other",
    "GZIP",
    "gzip",
    "delete",
    "CreateTime",
    "a:1",
    "TLSv1.2",
    "none",
    "org.example.Class",
    "9",
)
"""Each text property accepts one of these values, if it accepts any by itself."""


def told(release: str, name: str, text: str) -> tuple[list[str], FakeKafka]:
    """The warnings about a cluster with one property. Raises `FakeKafkaError` if it cannot have this one alone."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        kafka = FakeKafka(release, config={name: text})
    return [str(one.message) for one in caught], kafka


def told_of_any(release: str, definition: ConfigDef) -> tuple[list[str], FakeKafka] | None:
    """The warnings with the first other value that is accepted; None if no value is accepted alone."""
    for text in other_values(definition):
        try:
            return told(release, definition.name, text)
        except FakeKafkaError:
            continue
    return None


@pytest.mark.parametrize("release", LAST_PATCH)
def test_setting_a_property_that_is_not_played_is_reported(release: str) -> None:
    table = broker_configs(Release.parse(release))
    tried = 0
    for definition in table.values():
        if definition.name in BY_VALUE or (found := told_of_any(release, definition)) is None:
            continue
        said, kafka = found
        tried += 1
        named = is_named(definition.name)
        plugin = plugin_property(definition.name, Release.parse(release))
        expected = named or (plugin is not None and not plugin.is_played)
        assert any(definition.name in text for text in said) == named, f"{definition.name}: {said}"
        explained = [one.here for one in kafka.explain() if one.what == f"config {definition.name}"]
        assert explained == (["only shown"] if expected else []), definition.name
    assert tried > len(table) * 0.8


def test_a_property_that_is_not_played_is_warned_about_and_explained() -> None:
    with pytest.warns(UserWarning, match="has no effect here: in a real broker, creating topics is refused"):
        kafka = FakeKafka("3.9", config={"create.topic.policy.class.name": "org.example.Policy"})
    (found,) = [one for one in kafka.explain() if one.what == "config create.topic.policy.class.name"]
    assert found.here == "only shown"


@pytest.mark.parametrize(
    ("name", "text", "others"),
    [
        ("replica.selector.class", "org.apache.kafka.common.replica.RackAwareReplicaSelector", None),
        ("replica.selector.class", "org.example.Selector", "org.example.Selector"),
        ("group.consumer.assignors", "range,org.apache.kafka.coordinator.group.assignor.UniformAssignor", None),
        ("group.consumer.assignors", "uniform, org.example.Assignor", "org.example.Assignor"),
        ("group.share.assignors", "org.example.A,org.example.B", "org.example.A and org.example.B"),
    ],
)
def test_classes_that_are_not_kafkas_own_are_explained(name: str, text: str, others: str | None) -> None:
    with warnings.catch_warnings(action="ignore"):
        kafka = FakeKafka("4.3", config={name: text}).boot()
    found = [each.real for each in kafka.explain() if each.what == f"config {name}"]
    assert found == ([] if others is None else [f"the Java class {others} decides"])


def test_the_default_of_an_unplayed_property_is_not_explained() -> None:
    kafka = FakeKafka("3.9", config={"remote.log.storage.system.enable": "false"})
    assert not [one for one in kafka.explain() if "remote.log" in one.what]
