"""The folded history of the protocol against what is recorded about each release."""

import re
from itertools import pairwise

import pytest
from fakekafka.ids import ApiKey
from fakekafka.releases.history import (
    INTER_BROKER,
    ON_RECORD_V2,
    ON_TELEMETRY,
    accepted,
    accepted_not_advertised,
    advertised,
    steps,
)
from fakekafka.releases.history.step import Versions
from fakekafka.releases.release import LAST_PATCH, Release, all_releases, starting

from tests.emulator.releases.history.facts import Fact, api_versions, entries, keys, label, ranges

CITED = re.compile(r"KIP-\d+|KAFKA-\d+|CVE-\d|\w+\.(?:scala|java|json)\b")


def test_all_lines_in_all_modes_are_recorded() -> None:
    recorded = {(entry["release"], entry["mode"]) for entry in entries()}
    assert recorded == {(line, mode) for line in LAST_PATCH for mode in Release.parse(line).modes}
    assert len(recorded) == 45


@pytest.mark.parametrize("entry", entries(), ids=label)
def test_a_release_advertises_what_is_recorded(entry: Fact) -> None:
    release = Release.parse(entry["release"])
    assert advertised(release, entry["mode"]) == ranges(entry["apis"])
    assert list(advertised(release, entry["mode"])) == sorted(ranges(entry["apis"]))


@pytest.mark.parametrize("entry", entries(), ids=label)
def test_a_release_accepts_more_than_it_advertises_where_that_is_recorded(entry: Fact) -> None:
    wider = accepted_not_advertised(Release.parse(entry["release"]), entry["mode"])
    for number, (low, high) in entry.get("accepted_not_advertised", {}).items():
        assert low in wider[ApiKey(int(number))]
        assert high in wider[ApiKey(int(number))]


@pytest.mark.parametrize("entry", entries(), ids=label)
def test_unstable_versions_are_those_recorded_and_served_only_on_request(entry: Fact) -> None:
    release, mode = Release.parse(entry["release"]), entry["mode"]
    usual, all_of_them = advertised(release, mode), advertised(release, mode, unstable=True)
    only_then = {key: found.high for key, found in all_of_them.items() if found != usual.get(key)}
    assert only_then == {ApiKey(int(key)): version for key, version in entry.get("unstable", {}).items()}


@pytest.mark.parametrize("entry", entries(), ids=label)
def test_telemetry_is_advertised_where_there_is_a_receiver(entry: Fact) -> None:
    release, mode = Release.parse(entry["release"]), entry["mode"]
    added = ranges(entry.get("conditional", {}))
    assert advertised(release, mode, telemetry=True) == ranges(entry["apis"]) | added
    assert accepted(release, mode).items() >= added.items()


@pytest.mark.parametrize("entry", entries(), ids=label)
def test_an_old_inter_broker_protocol_hides_transactions(entry: Fact) -> None:
    release, mode = Release.parse(entry["release"]), entry["mode"]
    hidden = keys(api_versions()["hidden_when_ibp_below_0.11"]["keys"]) if mode == "zk" else set()
    assert hidden in (set(), ON_RECORD_V2)
    left = advertised(release, mode, ibp_below_0_11=True)
    assert left == {key: found for key, found in ranges(entry["apis"]).items() if key not in hidden}
    if mode == "zk":
        assert set(accepted(release, mode)) >= hidden & set(ranges(entry["apis"]))


def test_4_0_0_differs_from_4_0_1() -> None:
    overrides = {entry["release"]: entry["patch_overrides"] for entry in entries() if "patch_overrides" in entry}
    assert overrides == {"4.0": {"4.0.0": {"11": [2, 9]}}}
    first, second = (advertised(Release.parse(text), "kraft") for text in ("4.0.0", "4.0.1"))
    assert first[ApiKey.JOIN_GROUP] == Versions(2, 9)
    assert second[ApiKey.JOIN_GROUP] == Versions(0, 9)
    assert first | {ApiKey.JOIN_GROUP: Versions(0, 9)} == second


def test_no_other_patch_release_changed_the_ranges() -> None:
    dates = {date for date, _ in steps()}
    assert {date for date in dates if date not in LAST_PATCH} == {"4.0.1"}


@pytest.mark.parametrize("release", all_releases(), ids=str)
def test_4_x_advertises_versions_of_produce_that_it_refuses(release: Release) -> None:
    refused = api_versions()["produce_min_note"]
    mode = release.default_mode
    advertised_range, accepted_range = (f(release, mode)[ApiKey.PRODUCE] for f in (advertised, accepted))
    if release >= starting("4.0"):
        assert (advertised_range.low, accepted_range.low) == (refused["advertised_min"], refused["accepted_min"])
        assert advertised_range.high == accepted_range.high
    else:
        assert advertised_range == accepted_range


def test_every_advertised_version_is_accepted_except_those_of_produce() -> None:
    for release in all_releases():
        for mode in release.modes:
            taken = accepted(release, mode)
            for key, found in advertised(release, mode, co_resident=True).items():
                assert key is ApiKey.PRODUCE or (found.low in taken[key] and found.high in taken[key])


def test_keys_between_brokers_are_those_recorded() -> None:
    assert keys(api_versions()["inter_broker_or_controller"]) == INTER_BROKER
    assert {ApiKey(int(key)) for key in api_versions()["conditional_reason"]} == ON_TELEMETRY


@pytest.mark.parametrize(
    ("line", "gone", "shown"),
    [
        ("2.8", {ApiKey.UNREGISTER_BROKER}, {}),
        ("3.0", {ApiKey.DESCRIBE_QUORUM}, {ApiKey.UPDATE_FEATURES: Versions(0, 0)}),
        ("3.1", {ApiKey.DESCRIBE_QUORUM}, {ApiKey.UPDATE_FEATURES: Versions(0, 0)}),
        ("3.2", {ApiKey.DESCRIBE_QUORUM}, {}),
        ("3.3", set(), {}),
        ("4.3", set(), {}),
    ],
)
def test_a_broker_that_is_its_own_controller_lists_other_keys(
    line: str, gone: set[ApiKey], shown: dict[ApiKey, Versions]
) -> None:
    """As 2.8.2, 3.0.2, 3.1.2 and 3.2.3 answered (KAFKA-13228)."""
    release = Release.parse(line)
    alone, together = advertised(release, "kraft"), advertised(release, "kraft", co_resident=True)
    assert set(alone) - set(together) == gone
    assert {key: together[key] for key in set(together) - set(alone)} == shown
    assert set(accepted(release, "kraft")) >= set(alone) | set(together)


def test_versions_came_in_the_releases_recorded() -> None:
    for number, by_version in api_versions()["first_release"].items():
        for version, release in by_version.items():
            key, first = ApiKey(int(number)), Release.parse(release)
            assert any(int(version) in _all(first, mode).get(key, Versions(0, -1)) for mode in first.modes), key
            lines = list(LAST_PATCH)
            if first.line != "0.8.0":
                before = Release.parse(lines[lines.index(first.line) - 1])
                assert not any(int(version) in _all(before, m).get(key, Versions(0, -1)) for m in before.modes), key


def _all(release: Release, mode: str) -> dict[ApiKey, Versions]:
    return advertised(release, "kraft" if mode == "kraft" else "zk", telemetry=True)


def test_every_step_says_why() -> None:
    for date, step in steps():
        assert CITED.search(step.why), (date, step.why)


def test_steps_are_in_order_of_their_releases() -> None:
    dates = [starting(date) for date, _ in steps()]
    assert all(older <= newer for older, newer in pairwise(dates))


def test_every_step_changes_something() -> None:
    for _, step in steps():
        assert step.new or step.up or step.low or step.reopened or step.unstable or step.joins or step.leaves
