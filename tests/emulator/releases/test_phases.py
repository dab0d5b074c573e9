"""The documented upgrade paths from one release to another, as chains of phases."""

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import BrokerWillNotStart, UsageError
from fakekafka.releases.phases import Phase, before_upgrade, find_phase, recipe
from fakekafka.releases.release import LAST_PATCH, Mode, Release

FORMATS = {"0.8.2": 0, "0.9.0": 0, "0.10.2": 1, "0.11.0": 2, "2.3": 2, "3.9": 2, "4.1": 2}


def way(start: str, to: str, *via: str, mode: Mode | None = None) -> list[str]:
    return [str(phase) for phase in recipe(before_upgrade(Release.parse(start), mode), to, via)][1:]


@pytest.mark.parametrize(("start", "to", "steps"), [
    ("0.8.2", "0.9.0", [
        "new code, old protocol (0.9.0.1, protocol 0.8.2)",
        "new protocol (0.9.0.1, protocol 0.9.0)",
    ]),
    ("0.9.0", "0.10.0", [
        "new code, old format (0.10.0.1, protocol 0.9.0, format 0.9.0)",
        "new protocol, old format (0.10.0.1, protocol 0.10.0, format 0.9.0)",
        "clients read format 1 (0.10.0.1, protocol 0.10.0, format 0.9.0)",
        "new format (0.10.0.1, protocol 0.10.0, format 0.10.0)",
    ]),
    ("0.10.2", "2.3", [
        "new code, old format (2.3.1, protocol 0.10.2, format 0.10.2)",
        "new protocol, old format (2.3.1, protocol 2.3, format 0.10.2)",
        "clients read format 2 (2.3.1, protocol 2.3, format 0.10.2)",
        "new format (2.3.1, protocol 2.3, format 2.3)",
    ]),
    ("0.10.2", "3.9", [
        "new code, old format (3.9.2, protocol 0.10.2, format 0.10.2)",
        "clients read format 2 (3.9.2, protocol 0.10.2, format 0.10.2)",
        "new protocol (3.9.2, protocol 3.9, format 0.10.2)",
    ]),
    ("2.3", "2.8", [
        "new code, old protocol (2.8.2, protocol 2.3)",
        "new protocol (2.8.2, protocol 2.8)",
    ]),
    ("3.9", "4.1", [
        "new code, old features (4.1.2, KRaft, metadata.version 21)",
        "new features (4.1.2, KRaft, metadata.version 27)",
    ]),
])  # fmt: skip
def test_the_code_comes_first_and_the_format_last(start: str, to: str, steps: list[str]) -> None:
    assert way(start, to) == steps


def test_the_way_to_4_x_leads_through_3_9_where_zookeeper_is_left() -> None:
    assert way("2.8", "4.0") == [
        "3.9: new code, old protocol (3.9.2, protocol 2.8)",
        "3.9: new protocol (3.9.2, protocol 3.9)",
        "3.9: KRaft, ZooKeeper kept (3.9.2, KRaft, metadata.version 21)",
        "3.9: KRaft alone (3.9.2, KRaft, metadata.version 21)",
        "4.0: new code, old features (4.0.2, KRaft, metadata.version 21)",
        "4.0: new features (4.0.2, KRaft, metadata.version 25)",
    ]


def test_via_stops_at_releases_and_settings() -> None:
    assert way("0.9.0", "0.11.0", "0.10.2", "format 0.10.0") == [
        "0.10.2: new code, old format (0.10.2.2, protocol 0.9.0, format 0.9.0)",
        "0.10.2: new protocol, old format (0.10.2.2, protocol 0.10.2, format 0.9.0)",
        "0.10.2: clients read format 1 (0.10.2.2, protocol 0.10.2, format 0.9.0)",
        "0.10.2: format 0.10.0 (0.10.2.2, protocol 0.10.2, format 0.10.0)",
        "0.10.2: new format (0.10.2.2, protocol 0.10.2, format 0.10.2)",
        "0.11.0: new code, old format (0.11.0.3, protocol 0.10.2, format 0.10.2)",
        "0.11.0: new protocol, old format (0.11.0.3, protocol 0.11.0, format 0.10.2)",
        "0.11.0: clients read format 2 (0.11.0.3, protocol 0.11.0, format 0.10.2)",
        "0.11.0: new format (0.11.0.3, protocol 0.11.0, format 0.11.0)",
    ]


@pytest.mark.parametrize(("start", "to", "via", "words"), [
    ("2.3", "2.0", (), "from 2.3.1 to 2.0.1 is not an upgrade"),
    ("2.3", "2.3", (), "is Kafka 2.3.1 already"),
    ("2.3", "2.8", ("format banana",), "names no version of a format"),
    ("2.3", "2.8", ("kraft",), "moves to KRaft under 3.4 to 3.9"),
])  # fmt: skip
def test_an_impossible_upgrade_path_is_refused(start: str, to: str, via: tuple[str, ...], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        recipe(before_upgrade(Release.parse(start)), to, via)


def test_a_phase_has_a_name_that_can_be_said() -> None:
    found = find_phase("0.10.2 -> 2.3: new code, old format")
    assert (found.name, str(found.release), found.magic) == ("new code, old format", "2.3.1", 1)
    assert find_phase("0.9.0 -> 0.10.2 -> 0.11.0: 0.11.0: new code, old format").magic == 1
    with pytest.raises(UsageError, match="there are 'old code', 'new code, old protocol', 'new protocol'"):
        find_phase("2.3 -> 2.8: nonsense")
    with pytest.raises(UsageError, match="write it as"):
        find_phase("2.3")


@pytest.mark.parametrize("start", FORMATS)
def test_a_release_by_itself_writes_its_newest_format(start: str) -> None:
    assert before_upgrade(Release.parse(start)).magic == FORMATS[start]


LINES = [line for line in LAST_PATCH if line not in ("0.8.0", "0.8.1", "4.4")]


@pytest.mark.parametrize("start", LINES[:-1])
def test_brokers_start_in_every_phase_of_every_upgrade_path(start: str) -> None:
    """The rules of `configs.combinations` and the upgrade recipes know nothing about each other."""
    for to in LINES[LINES.index(start) + 1 :: 4]:
        kafka = FakeKafka(start).boot()
        try:
            for step in kafka.upgrade(to=to):
                step.apply()
        except BrokerWillNotStart as refused:
            raise AssertionError(f"{start} to {to}: {kafka.phase}") from refused
        assert kafka.release == str(Release.parse(to))
        kafka.stop()


def test_phases_know_whether_they_are_alike() -> None:
    phases = recipe(before_upgrade(Release.parse("0.10.2")), "2.3")
    alike = [(a.name, b.name) for a in phases for b in phases if a is not b and a.is_like(b)]
    assert alike == [
        ("new protocol, old format", "clients read format 2"),
        ("clients read format 2", "new protocol, old format"),
    ]
    assert isinstance(phases[0], Phase)
