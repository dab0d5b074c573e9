"""Every bug of the museum: its data is complete, its story is seen on both sides, and its switch does what it says."""

import re
from dataclasses import replace

import pytest
from fakekafka.bugs import Bug, all_bugs, run
from fakekafka.bugs.running import act
from fakekafka.errors import UsageError
from fakekafka.releases.profile import profile
from fakekafka.releases.quirks import QUIRKS, quirk
from fakekafka.releases.release import Release, all_releases
from fakekafka.releases.release_runs import ReleaseRuns

BUGS = list(all_bugs())
PLAYED = [bug for bug in BUGS if bug.story is not None]
SWITCHED = [
    bug for bug in PLAYED if bug.id in {row.name for row in QUIRKS} and bug.affected and not bug.affected.reader
]

LEAST_BUGS = 156
LEAST_PLAYED = 144

NOT_TAKEN_AWAY = {
    "EMPTY-CONVERTED": "the story ends at the last marker, where nothing else can be read on to",
}
"""Quirks whose story stays the same when they are switched off, and why."""
NOT_BROUGHT = {
    "KAFKA-5236": "0.11 copies a set of the wanted format as it came, so it compresses nothing here",
    "KAFKA-5365": "0.10 has other code for messages, which does not ask",
    "KAFKA-8570": "2.0 converts while it sends, and has no such buffer",
    "UNSUPPORTED-FORMAT-43": "on or off, a topic of format 2 takes idempotent batches",
    "KAFKA-8428": "2.4 refuses the offsets of what it would merge",
    "SILENT-APIKEY-0.9": "0.10 knows ApiVersions, which the story asks for",
    "FORMAT-LOWERED": "from protocol 3.0 on everything is converted",
}
"""Quirks whose story shows nothing when they are switched on in the cured release, and why."""
NO_SWITCH = {
    "OOM-EAGER": "no heap is emulated; what the two ways of conversion send is on EMPTY-CONVERTED and KIP-283-OVERFLOW",
}
"""Bugs of brokers, with a story, that are not on a switch, and why."""


def by_id(bug: Bug) -> str:
    return bug.id


def test_no_bug_has_been_lost() -> None:
    assert len(BUGS) >= LEAST_BUGS
    assert len(PLAYED) >= LEAST_PLAYED
    assert len({bug.id for bug in BUGS}) == len(BUGS)


@pytest.mark.parametrize("bug", BUGS, ids=by_id)
def test_the_data_of_every_bug_is_complete(bug: Bug) -> None:
    assert bug.runs
    assert bug.hit
    assert all((bug.title, bug.symptom, bug.cause, bug.remedy, bug.sources))
    assert not bug.title.endswith(".")
    assert re.fullmatch(r"[A-Z0-9.-]+", bug.id)
    assert (bug.story is None) == (bug.shown == "not") == bool(bug.unshown)


@pytest.mark.parametrize("bug", PLAYED, ids=by_id)
def test_a_story_plays_with_the_bug_and_without_it(bug: Bug) -> None:
    assert bug.affected is not None
    assert bug.cured is not None
    assert any(affected != cured for affected, cured in bug.sees.values()), "nothing tells the sides apart"
    if bug.shown != "by what a reader computes":
        assert Release.parse(bug.affected.release) in bug.runs
    told_apart = (bug.affected.reader, bug.affected.config) != (bug.cured.reader, bug.cured.config)
    assert told_apart or bug.affected.api_versions or Release.parse(bug.cured.release) not in bug.runs


@pytest.mark.parametrize("bug", BUGS, ids=by_id)
def test_a_bug_that_only_a_client_has_is_shown_by_a_real_client_or_says_why_not(bug: Bug) -> None:
    if bug.shown == "by what a reader computes":
        assert (bug.real_clients is None) == bool(bug.no_client)
    assert not (bug.real_clients and bug.no_client)


@pytest.mark.parametrize("bug", PLAYED, ids=by_id)
def test_the_story_is_seen_on_both_sides(bug: Bug) -> None:
    done = run(bug)
    assert done.affected.seen == done.affected.expected
    assert done.cured.seen == done.cured.expected
    assert done.as_described


def ends_of(runs: ReleaseRuns) -> list[Release]:
    """The first and the last release of each run, of those that can be had."""
    releases = [release for release in all_releases() if not release.provisional]
    within = [[release for release in releases if first <= release <= last] for first, last in runs.runs]
    return sorted({release for run in within for release in (run[0], run[-1])})


ELSEWHERE = [(bug, release) for bug in PLAYED for release in ends_of(bug.shown_on) if bug.affected]


@pytest.mark.parametrize(("bug", "release"), ELSEWHERE, ids=[f"{bug.id}-{release}" for bug, release in ELSEWHERE])
def test_the_story_is_seen_on_the_first_and_the_last_release_that_it_names(bug: Bug, release: Release) -> None:
    assert bug.affected is not None
    done = act(bug, replace(bug.affected, release=str(release)), 0)
    assert done.seen == done.expected


@pytest.mark.parametrize("bug", PLAYED, ids=by_id)
def test_a_story_that_some_affected_releases_do_not_show_says_why(bug: Bug) -> None:
    assert bool(bug.story_on) == bool(bug.elsewhere)
    assert all(release in bug.runs for release in ends_of(bug.shown_on))
    assert bug.story_on == "" or ends_of(bug.shown_on) != ends_of(bug.runs)


@pytest.mark.parametrize("bug", [bug for bug in BUGS if bug.story is None], ids=by_id)
def test_a_bug_without_a_story_says_why(bug: Bug) -> None:
    with pytest.raises(UsageError, match=re.escape(f"{bug.id} is not shown: {bug.unshown}")):
        run(bug)


@pytest.mark.parametrize("bug", SWITCHED, ids=by_id)
def test_a_switch_takes_the_bug_away_and_brings_it_back(bug: Bug) -> None:
    assert bug.affected is not None
    assert bug.cured is not None
    off = act(bug, replace(bug.affected, quirks=f"-{bug.id}"), 0)
    assert off.as_described == (bug.id in NOT_TAKEN_AWAY)
    on = act(bug, replace(bug.cured, quirks=bug.id), 1)
    assert on.as_described == (bug.id in NOT_BROUGHT)


@pytest.mark.parametrize("name", [row.name for row in QUIRKS])
def test_bug_and_switch_agree_on_the_releases(name: str) -> None:
    (found,) = (bug for bug in BUGS if bug.id == name)
    shipped = found.releases if not found.releases.endswith("-") else f"{found.releases} 4.3.1"
    assert quirk(name).shipped_in() == shipped


def test_every_bug_of_a_broker_is_on_a_switch_or_says_why_not() -> None:
    of_brokers = {bug.id for bug in PLAYED if bug.kind == "bug"}
    assert of_brokers - {row.name for row in QUIRKS} == NO_SWITCH.keys()


NAMED = [(bug, match) for bug in BUGS if (match := re.search(r"behaviour (\w+)\.(\w+)$", bug.sources[-1]))]


@pytest.mark.parametrize(("bug", "match"), NAMED, ids=[bug.id for bug, _ in NAMED])
def test_a_bug_ends_where_its_behaviour_changes(bug: Bug, match: re.Match[str]) -> None:
    """The release after each run has another value than the last one of the run."""
    releases = all_releases()
    for _, last in bug.runs.runs:
        after = next((release for release in releases if release > last), None)
        if after is not None and not after.provisional:
            was, becomes = (getattr(getattr(profile(r), match[1]), match[2]) for r in (last, after))
            assert was != becomes, f"{last} and {after} are alike"
