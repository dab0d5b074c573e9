"""Signs in journals: each story shows its own, on the broker that was recorded and on the emulator, and recordings of
other things show none.
"""

import json
from collections import Counter
from collections.abc import Iterator

import pytest
from fakekafka.bugs import Bug, all_bugs, bug
from fakekafka.bugs.signs.of_journals import NEEDS_RELEASE, SIGNS, diagnose_journal
from fakekafka.inspection.journal_lines import JournalLine, read_journal, written
from fakekafka.releases.release import Release

from tests.golden.transcript import Note, Recording, Restart, load, names
from tests.support.journals import journal_of, journal_of_recording

BUGS = {one.id.lower().replace("-", "_").replace(".", "_"): one for one in all_bugs()}
RECORDED = [name for name in names() if "-bug_" in name]
"""The recordings of stories, on real brokers."""
IN_NO_REQUEST = {
    "KAFKA-1755": "0.8 has no request that says that a topic is compacted; directories show it",
    "KAFKA-4073": "the mirror fails before it sends anything; its log says so",
    "KAFKA-4734": "files only: directories show it",
    "KAFKA-6238": "the broker does not start; its log says so",
    "KAFKA-7897": "files only: directories show it",
    "OFFSET-VALUE-DOWNGRADE": "a commit is gone, as it may be for many reasons; directories show it",
    "TOPIC-FORMAT-NOT-EXCLUDED": "whether the format was meant to be used is in no request; the broker's log says so",
    "ABORTED-IN-COMPRESSED": "the client errs with a healthy answer in its hands",
}
"""Recorded stories that leave no sign in requests and answers, and why."""
OF_CLIENTS = {
    "MIXED-MAGIC", "KAFKA-5443", "SECONDS-AS-MS", "ZSTD-OLD-FETCH", "KIP-283-OVERFLOW", "V1-HOLES", "KAFKA-9577",
    "KAFKA-5490", "KAFKA-4682",
}  # fmt: skip
"""Both sides of these stories play on the same broker, or the client goes wrong after the story's end."""
PLAYED = {
    "KAFKA-1588": {
        "list_offsets", "odd_requests", "random_odd", "random_fetches", "random_lives", "random_orders",
    },
    "KAFKA-3160": {"produce_formats", "produce_refusals"},
    "LZ4-FLAGS": {"produce_refusals"}, "BLIND-MAGIC-0.9": {"produce_refusals", "odd_sets"},
    "KAFKA-3427": {"acls", "fetch_manners", "client_questions", "null_client_id"}, "KPY-718": {"produce_refusals"},
    "WRAPPER-TS-0.10.0": {"produce_refusals", "produce_timestamps"}, "CLOSE-APIKEY-0.8": {"handshake"},
    "SILENT-APIKEY-0.9": {"handshake"}, "TSDIFF-NO-TIMESTAMP": {"produce_timestamps"},
    "KIP-74-STUCK": {
        "fetch_manners", "random_traffic", "random_walks", "random_fetches", "random_quotas", "random_deletions",
    },
    "MIXED-MAGIC": {
        "produce_refusals", "canary", "fetch_formats", "format_lowered", "storage_compact", "random_traffic",
        "illegal_configs", "odd_sets", "phases", "random_walks",
    },
    "FORMAT-LOWERED": {"canary", "fetch_formats", "format_lowered", "illegal_configs", "phases", "random_walks"},
    "WHOLE-SLICE-0.10": {"fetch_formats", "format_lowered", "random_traffic", "client_questions", "random_waits"},
    "KAFKA-7409": {"illegal_configs"},
    "V1-HOLES": {"storage_compact", "random_compact"},
    "KAFKA-7549": {"produce_refusals", "odd_sets", "odd_requests", "random_traffic"},
    "KAFKA-6554": {"produce_refusals", "produce_shapes", "client_questions"},
    "KAFKA-6739-UP": {"produce_refusals", "produce_shapes"}, "KAFKA-8428": {"odd_sets", "produce_shapes"},
    "KAFKA-9669": {"produce_shapes"},
    "UNSUPPORTED-FORMAT-43": {"produce_refusals", "random_traffic", "random_walks", "random_lives"},
    "KAFKA-6739": {"fetch_formats"},
    "KAFKA-5494": {
        "produce_refusals", "idempotence_random", "sequence_questions", "storage_producer_state", "transactions_random",
    },
    "KAFKAJS-188": {"produce_timestamps"}, "KAFKA-12671": {"transactions_random"},
    "PID-ERA": {
        "produce_refusals", "storage_producer_state", "transactions_random", "random_txn", "random_traffic",
        "idempotence_random", "bug_kafka_7298",
    },
    "KIP-283-OVERFLOW": {"fetch_formats", "bug_empty_converted"}, "KAFKA-7030": {"fetch_formats"},
    "ZSTD-OLD-FETCH": {"fetch_formats", "acls", "acls_rules", "client_questions", "random_fetches"},
    "KAFKA-12944": {
        "illegal_configs", "produce_compression_type", "produce_formats", "produce_formats_zk", "produce_refusals",
        "produce_shapes", "produce_timestamps", "odd_sets", "odd_requests", "random_traffic", "format_lowered",
        "phases", "format_questions", "random_walks", "random_fetches", "random_orders", "random_quotas",
        "random_limits",
    },
    "KAFKA-16310": {"list_offsets"},
    "KAFKA-19444": {
        "admin", "handshake", "sasl", "feature_order", "feature_questions", "feature_dependencies", "kraft_version",
    },
    "KAFKA-19367": {"transactions"},
    "KIP-896-REMOVAL": {"produce_formats", "produce_refusals", "every_version", "odd_requests"},
    "ZERO-TOPIC-ID": {"fetch_manners", "random_walks"},
}  # fmt: skip
"""The scenarios, besides its own story, in which a bug really occurs."""
FALSE_ALARMS: dict[str, int] = {"KAFKA-4472": 9, "KAFKA-8069": 1, "KAFKA-19444": 2}
"""False alarms of recordings whose releases are named: commits that expire after the configured minutes; a client that
calls itself librdkafka."""


def recorded(name: str) -> Bug:
    """The bug whose story was recorded."""
    return BUGS[scenario(name).removeprefix("bug_")]


def scenario(name: str) -> str:
    """The scenario of a recording: "offsets" of "2.3.1-offsets--again"."""
    return name.partition("-")[2].partition("--")[0]


def releases(recording: Recording) -> list[Release]:
    """The releases that its brokers were, in order."""
    lines = [line for lines in recording.transcripts.values() for line in lines]
    later = [line.release for line in lines if isinstance(line, Restart) and line.release]
    others = [broker.release for broker in recording.brokers.values()]
    return [Release.parse(text) for text in (recording.release, *later, *others)]


def shows(found: Bug, recording: Recording) -> bool:
    """Whether the broker was seen to have the bug."""
    notes = [line.text for line in recording.lines if isinstance(line, Note) and line.text.startswith("seen: ")]
    return bool(notes) and json.loads(notes[-1].removeprefix("seen: ")) == {k: v[0] for k, v in found.sees.items()}


def fits(lines: Iterator[JournalLine] | list[JournalLine], release: Release | None = None) -> set[str]:
    return {one.bug for one in diagnose_journal(lines, release)}


# ---- stories


@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_story_shows_its_sign_where_the_bug_is_and_only_there(name: str) -> None:
    found, recording = recorded(name), load(name)
    seen = fits(journal_of_recording(recording), releases(recording)[-1])
    if found.id in IN_NO_REQUEST:
        assert found.id not in SIGNS
    elif shows(found, recording):
        assert (found.id in seen) == (found.id in SIGNS)
    elif Release.parse(recording.release) not in found.runs or name.endswith("--cured"):
        assert found.id not in seen


def test_most_recorded_stories_leave_signs() -> None:
    assert len({recorded(name).id for name in RECORDED} & set(SIGNS)) >= 48


@pytest.mark.parametrize("name", [name for name in SIGNS if bug(name).story is not None and name not in OF_CLIENTS])
def test_a_story_on_the_emulator_shows_its_sign_on_one_side_only(name: str) -> None:
    found = bug(name)
    assert found.affected is not None
    assert found.cured is not None
    release = Release.parse(found.affected.release)
    assert name in fits(journal_of(found, found.affected), release)
    assert name not in fits(journal_of(found, found.cured), release), "the release does not tell the sides apart"


@pytest.mark.parametrize("name", sorted(OF_CLIENTS & {"MIXED-MAGIC", "KAFKA-5443", "SECONDS-AS-MS", "ZSTD-OLD-FETCH"}))
def test_a_story_of_a_client_shows_its_sign(name: str) -> None:
    found = bug(name)
    assert found.affected is not None
    assert name in fits(journal_of(found, found.affected))


# ---- other recordings


def test_other_recordings_show_no_bug_that_their_release_does_not_have() -> None:
    """No recording shows a bug that its release does not have, although the release is not named. There are some 1,200,
    most of them of requests that no client would send. With the release named, recordings show the bugs that they play.
    """
    runs = {one.id: one.runs for one in BUGS.values()}
    unnamed: Counter[str] = Counter()
    named: Counter[str] = Counter()
    for name in names():
        recording = load(name)
        lines, mine = list(journal_of_recording(recording)), releases(recording)
        unnamed.update(found for found in fits(lines) if not any(release in runs[found] for release in mine))
        for found in fits(lines, mine[-1]):
            own = BUGS.get(scenario(name).removeprefix("bug_"))
            played = scenario(name) in PLAYED.get(found, ()) or (own is not None and own.id == found)
            named.update([found] * (not played and not scenario(name).startswith("bug_")))
    assert dict(unnamed) == {}
    assert dict(named) == FALSE_ALARMS


# ---- releases


def test_a_release_that_does_not_have_a_bug_is_not_accused_of_it() -> None:
    found = bug("KAFKA-6739")
    assert found.affected is not None
    lines = journal_of(found, found.affected)
    assert "KAFKA-6739" in fits(lines)
    assert "KAFKA-6739" not in fits(lines, Release.parse("1.0.2"))


def test_answers_to_ApiVersions_show_the_release() -> None:
    recording = load("4.0.0-bug_kafka_19444")
    lines = list(journal_of_recording(recording))
    story = bug("KAFKA-6739")
    assert story.affected is not None
    assert fits(lines + journal_of(story, story.affected)) == {"KAFKA-19444"}


@pytest.mark.parametrize("name", sorted(NEEDS_RELEASE & {recorded(name).id for name in RECORDED}))
def test_a_sign_that_is_healthy_in_other_releases_needs_the_release(name: str) -> None:
    (affected,) = (one for one in RECORDED if recorded(one).id == name and shows(bug(name), load(one)))
    assert name not in fits(journal_of_recording(load(affected)))


# ---- files, and signs in detail


def test_a_journal_can_be_read_from_a_file() -> None:
    found = bug("KAFKA-6739")
    assert found.affected is not None
    lines = journal_of(found, found.affected)
    assert list(read_journal(written(lines))) == lines
    (one,) = [one for one in diagnose_journal(read_journal(written(lines))) if one.bug == "KAFKA-6739"]
    assert "Fetch 3 of story: every partition of the fetch got -1" in one.seen
    assert one.confirm == "fakekafka bugs show KAFKA-6739; fakekafka bugs run KAFKA-6739"


COMMITTED = {"partition_index": 0, "committed_offset": 5}
OFFSETS_GONE = {
    "topics": [{"name": "t", "partitions": [{"partition_index": 0, "committed_offset": -1, "error_code": 0}]}]
}


@pytest.mark.parametrize(
    ("partition", "request_fields", "version", "after_ms", "is_a_sign"),
    [
        (COMMITTED, {}, 2, 3_600_000, True),
        (COMMITTED | {"committed_offset": -1}, {}, 2, 1, False),
        (COMMITTED, {"retention_time_ms": 1000}, 2, 1001, False),
        (COMMITTED, {}, 0, 1, False),
        (COMMITTED, {}, 2, 86_400_000, False),
    ],
    ids=["lost", "-1 was committed", "kept for a second only", "in ZooKeeper", "a day later"],
)
def test_lost_commits_are_a_sign_unless_there_is_another_cause(
    partition: dict[str, int], request_fields: dict[str, int], version: int, after_ms: int, is_a_sign: bool
) -> None:
    asked = {"group_id": "g", "topics": [{"name": "t", "partitions": [partition]}], **request_fields}
    answer = {"topics": [{"name": "t", "partitions": [{"partition_index": 0, "error_code": 0}]}]}
    commit = JournalLine(0, 0, "1", "c", "OffsetCommit", version, asked, answer)
    fetch = JournalLine(after_ms, 0, "1", "c", "OffsetFetch", 1, {"group_id": "g"}, OFFSETS_GONE)
    assert fits([commit, fetch], Release.parse("2.1.0")) == ({"KAFKA-8069"} if is_a_sign else set())


def listed(low: int, high: int) -> JournalLine:
    """ApiVersions with a range for SaslHandshake."""
    key = {"api_key": 17, "min_version": low, "max_version": high}
    return JournalLine(0, 0, "1", "c", "ApiVersions", 0, {}, {"error_code": 0, "api_keys": [key]})


def test_a_double_that_lists_a_SaslHandshake_that_no_broker_has_is_seen() -> None:
    assert fits([listed(0, 2)]) == {"KAFKA-9577"}
    assert fits([listed(0, 1)]) == set()
