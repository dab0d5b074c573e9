"""Every property of every release: played, named by a warning and `explain()`, or of no consequence to clients."""

from functools import cache
from pathlib import Path
from typing import Final

import fakekafka
import pytest
from fakekafka import FakeKafka
from fakekafka.releases.configs import broker_configs, unplayed_security
from fakekafka.releases.configs.effects import PLAYED, UNPLAYED, UNSEEN, fits, unplayed
from fakekafka.releases.release import LAST_PATCH, Release

SOURCES: Final = Path(fakekafka.__file__ or "").parent
SECURITY: Final = ("ssl.", "sasl.", "principal.")
"""Kinds with a test of their own: test_unplayed_security."""
NAMES: Final = sorted({name for line in LAST_PATCH for name in broker_configs(Release.parse(line))})


@cache
def code() -> str:
    """Everything but the tables."""
    files = [path for path in SOURCES.rglob("*.py") if path.parent != SOURCES / "releases" / "configs"]
    return "\n".join(path.read_text("utf-8") for path in files)


@pytest.mark.parametrize("name", NAMES)
def test_every_property_is_played_or_named_or_of_no_consequence(name: str) -> None:
    is_played = f'"{name}"' in code() or fits(name, PLAYED)
    is_named = unplayed(name) is not None or unplayed_security.unplayed(name) is not None
    assert is_played or is_named or fits(name, UNSEEN) or name.startswith(SECURITY)


def test_every_pattern_fits_a_property() -> None:
    patterns = (*PLAYED, *UNPLAYED, *UNSEEN)
    assert [pattern for pattern in patterns if not any(fits(name, [pattern]) for name in NAMES)] == []


def test_a_property_that_is_not_played_is_warned_of_and_explained() -> None:
    with pytest.warns(UserWarning, match="has no effect here: in a real broker, creating topics is refused"):
        kafka = FakeKafka("3.9", config={"create.topic.policy.class.name": "org.example.Policy"})
    (found,) = [one for one in kafka.explain() if one.what == "config create.topic.policy.class.name"]
    assert found.here == "only shown"


def test_the_default_of_an_unplayed_property_is_not_explained() -> None:
    kafka = FakeKafka("3.9", config={"remote.log.storage.system.enable": "false"})
    assert not [one for one in kafka.explain() if "remote.log" in one.what]
