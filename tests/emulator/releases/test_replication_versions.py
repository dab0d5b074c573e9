"""Which Fetch a follower sends, and how it finds where logs diverge."""

import pytest
from fakekafka.releases.protocol_versions import BY_RELEASE
from fakekafka.releases.replication_versions import FETCH, FETCH_BY_LEVEL, fetch_version, parting


@pytest.mark.statement("S0-33")
@pytest.mark.statement("S0-34")
@pytest.mark.parametrize(
    ("protocol", "version"),
    [
        ("", 0),
        ("0.8.2", 0),
        ("0.9.0", 1),
        ("0.10.0", 2),
        ("0.10.1-IV0", 2),
        ("0.10.2", 3),
        ("0.11.0-IV0", 4),
        ("1.0", 5),
        ("1.1", 7),
        ("2.0", 8),
        ("2.1-IV1", 8),
        ("2.2", 10),
        ("2.3", 11),
        ("2.7", 12),
        ("3.0", 12),
        ("3.1", 13),
        ("3.5-IV0", 14),
        ("3.6", 15),
        ("3.7", 16),
        ("3.9", 17),
    ],
)
def test_the_inter_broker_protocol_decides_about_fetch(protocol: str, version: int) -> None:
    assert fetch_version(protocol, None) == version


@pytest.mark.parametrize(
    ("level", "version"), [(1, 12), (2, 13), (9, 14), (10, 15), (20, 16), (21, 17), (25, 17), (27, 18)]
)
def test_in_kraft_the_metadata_version_decides_about_fetch(level: int, version: int) -> None:
    assert fetch_version("2.0", level) == version


def test_newer_protocols_never_ask_for_older_versions() -> None:
    protocols = [name for names in BY_RELEASE.values() for name in names]
    asked = [fetch_version(name, None) for name in protocols]
    assert asked == sorted(asked)
    assert list(FETCH) == sorted(FETCH, key=lambda row: -row[1])
    assert list(FETCH_BY_LEVEL) == sorted(FETCH_BY_LEVEL, reverse=True)


@pytest.mark.parametrize(
    ("protocol", "how"),
    [
        ("0.11.0-IV1", "high watermark"),
        ("0.11.0", "epoch"),
        ("1.1", "epoch"),
        ("2.0", "epoch found"),
        ("2.6", "epoch found"),
        ("2.7", "fetch"),
    ],
)
def test_the_protocol_decides_how_followers_find_where_logs_diverge(protocol: str, how: str) -> None:
    assert parting(protocol, None) == how
    assert parting(protocol, 1) == "fetch"
