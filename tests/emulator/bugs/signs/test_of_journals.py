"""Signs in journals: each story shows its own, and recordings show no signs of bugs that their release lacks."""

from collections import Counter

import pytest
from fakekafka.bugs import all_bugs, bug
from fakekafka.bugs.signs.of_journals import SIGNS, diagnose_journal
from fakekafka.inspection.journal_lines import JournalLine, read_journal, written
from fakekafka.releases.release import Release

from tests.golden.transcript import load, names
from tests.support.journals import journal_of, journal_of_recording

BY_CLIENTS = {"MIXED-MAGIC", "KAFKA-5443", "SECONDS-AS-MS", "ZSTD-OLD-FETCH", "KIP-283-OVERFLOW"}
"""Both sides of these are on the same broker; a sign is where the client goes wrong."""
LEFT_OUT = ("phases", "migration", "sasl", "acls", "tokens", "quotas")
"""Recordings of several releases, and those in which brokers close connections because of who is there."""
FALSE_ALARMS = {
    "KAFKA-8069": 36, "KAFKA-9492": 19, "KAFKA-6739": 19, "EMPTY-CONVERTED": 16, "KIP-896-REMOVAL": 11, "KAFKA-3160": 5,
    "FORMAT-LOWERED": 3, "ZERO-TOPIC-ID": 3, "CLOSE-APIKEY-0.8": 1,
}  # fmt: skip
"""Of some 830 recordings, most of them of requests that no client would send: those in which a sign is found though the
release does not have the bug. Each is another cause of the same sign, such as offsets that have expired in time."""


@pytest.mark.parametrize("name", SIGNS)
def test_a_story_shows_its_sign(name: str) -> None:
    found = bug(name)
    assert found.affected is not None
    assert name in {one.bug for one in diagnose_journal(journal_of(found, found.affected))}


@pytest.mark.parametrize("name", [name for name in SIGNS if name not in BY_CLIENTS])
def test_the_cured_side_shows_no_sign(name: str) -> None:
    found = bug(name)
    assert found.cured is not None
    assert name not in {one.bug for one in diagnose_journal(journal_of(found, found.cured))}


def test_a_journal_may_be_a_file() -> None:
    found = bug("KAFKA-6739")
    assert found.affected is not None
    lines = journal_of(found, found.affected)
    assert list(read_journal(written(lines))) == lines
    (one,) = [one for one in diagnose_journal(read_journal(written(lines))) if one.bug == "KAFKA-6739"]
    assert "Fetch 3 of story: every partition of the fetch got -1" in one.seen
    assert one.confirm == "fakekafka bugs show KAFKA-6739; fakekafka bugs run KAFKA-6739"


def test_recordings_raise_few_false_alarms() -> None:
    runs = {one.id: one.runs for one in all_bugs()}
    alarms: Counter[str] = Counter()
    for name in names():
        found = load(name)
        if found.brokers or any(word in name for word in LEFT_OUT):
            continue
        for one in diagnose_journal(journal_of_recording(found)):
            if Release.parse(found.release) not in runs[one.bug]:
                alarms[one.bug] += 1
    assert {name: count for name, count in alarms.items() if count > FALSE_ALARMS.get(name, 0)} == {}


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
    assert [one.bug for one in diagnose_journal([commit, fetch])] == ["KAFKA-8069"] * is_a_sign
