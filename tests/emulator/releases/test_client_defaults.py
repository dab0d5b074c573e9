"""Defaults of Java's clients, against what kafka-clients of 24 releases say about themselves."""

import json
from pathlib import Path

from fakekafka.releases.client_defaults import CLIENT_DEFAULTS, client_defaults
from fakekafka.releases.release import Release, starting

FACTS: dict[str, dict[str, dict[str, str]]] = json.loads(
    (Path(__file__).parents[2] / "golden" / "configs" / "client_defaults.json").read_text("utf-8")
)
"""Release -> "producer" or "consumer" -> setting -> default. The names of classes are without their packages."""


def changes() -> dict[tuple[str, str, str], tuple[str, str, str]]:
    """(release, role, setting) -> (the release asked before, its default, the new default)."""
    found = {}
    last: dict[tuple[str, str], tuple[str, str]] = {}
    for release, roles in FACTS.items():
        for role, settings in roles.items():
            for name, value in settings.items():
                before = last.get((role, name))
                if before is not None and before[1] != value:
                    found[release, role, name] = (*before, value)
                last[role, name] = (release, value)
    return found


def test_every_change_is_a_row_and_every_row_a_change() -> None:
    left = changes()
    for row in CLIENT_DEFAULTS:
        (key,) = (
            key
            for key, (older, *_) in left.items()
            if key[1:] == (row.who, row.name) and Release.parse(older) < starting(row.since) <= Release.parse(key[0])
        )
        assert left.pop(key)[1:] == (row.before, row.after)
    assert left == {}


def test_rows_come_in_the_order_of_releases() -> None:
    dates = [starting(row.since) for row in CLIENT_DEFAULTS]
    assert dates == sorted(dates)


def test_acks_and_idempotence_change_with_3_0() -> None:
    told = [str(row) for row in client_defaults(Release.parse("2.8"), Release.parse("3.9"))]
    assert told[0] == (
        "Java producers, once they are 3.0 or later: acks goes from 1 to all by default (KIP-679): a write waits for"
        " every replica in sync"
    )
    assert "enable.idempotence goes from false to true" in told[1]
    assert "from 3.0.1 and 3.1.1 on" in told[1]
    assert "KAFKA-13598" in told[1]
    assert client_defaults(Release.parse("3.0"), Release.parse("3.9")) == []
