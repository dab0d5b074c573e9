"""What a broker does about a finding: each kind has a description that changes with the release's behaviour."""

import pytest
from fakekafka.inspection.remedies import NO_SUCH_FILE, REFUSES, UNKNOWN, remedy
from fakekafka.log.findings import Finding, FindingKind
from fakekafka.releases.profile import profile
from fakekafka.releases.release import LAST_PATCH, Release

K = FindingKind
INDEX_CHECKS = ["0.8.0", "0.9.0", "2.0", "2.3"]
MARKS = {K.LEFT_OVER_DELETE: "0.10.2", K.LEFT_OVER_FUTURE: "1.1", K.LEFT_OVER_STRAY: "3.6"}
CHANGES: dict[FindingKind, list[str]] = {
    K.TOPIC_ID: ["0.8.0", "2.8"],
    K.BROKEN_UNIT: ["0.8.0", "0.8.1", "0.10.1", "0.10.2"],
    K.PREALLOCATED: ["0.8.0", "0.8.1", "0.10.1", "0.10.2"],
    K.CHECKSUM: ["0.8.0", "0.8.1"],
    K.TORN: ["0.8.0", "0.8.1"],
    K.INDEX: INDEX_CHECKS,
    K.TIME_INDEX: ["0.8.0", "0.10.1", "2.0", "2.3"],
    K.TRANSACTION_INDEX: ["0.8.0", "0.11.0"],
    K.SNAPSHOT: ["0.8.0", "0.11.0"],
    K.EPOCHS: ["0.8.0", "0.11.0"],
    K.LEFT_OVER_SWAP: [*INDEX_CHECKS[:3], "3.0"],
} | {kind: ["0.8.0", first] for kind, first in MARKS.items()}
"""The release lines with which the words change. For kinds that are left out, only the first line counts."""


def said(kind: FindingKind, release: str, file: str = "f", what: str = "w") -> str:
    return remedy(Finding(file, None, kind, what), profile(Release.parse(release)))


def test_the_words_for_each_kind_of_finding_change_where_the_behaviour_does() -> None:
    found = {}
    for kind in FindingKind:
        words = [said(kind, line) for line in LAST_PATCH]
        found[kind] = [line for line, now, before in zip(LAST_PATCH, words, ["", *words]) if now != before]
    assert found == {kind: CHANGES.get(kind, ["0.8.0"]) for kind in FindingKind}


def test_an_unknown_remedy_is_reported_as_unknown() -> None:
    unknown = {kind for kind in FindingKind if said(kind, "4.3") == UNKNOWN}
    assert unknown == {K.EPOCHS, K.LEFT_OVER_FUTURE, K.LEFT_OVER_STRAY, K.CHECKPOINT, K.PARTITION_METADATA}
    assert said(K.EPOCHS, "4.3", what="an epoch begins at 9, the log ends at 5") == (
        "epochs that begin beyond the end are cut"
    )


def test_a_directory_with_an_unknown_mark_keeps_the_broker_from_starting() -> None:
    for kind in (K.UNKNOWN_DIRECTORY, *MARKS):
        assert said(kind, "0.9.0").startswith(REFUSES)


@pytest.mark.parametrize(
    ("kind", "release", "words"),
    [
        (K.PREALLOCATED, "0.10.0", "after a clean one, too"),
        (K.PREALLOCATED, "0.10.1", "but the broker does not start if an index points to it"),
        (K.PREALLOCATED, "0.10.2", "after a clean one the broker does not start"),
        (K.INDEX, "1.1", "if its last offset is not beyond its base"),
        (K.INDEX, "2.3", "after a clean one it is used as it is"),
        (K.TIME_INDEX, "0.10.0", NO_SUCH_FILE),
        (K.SNAPSHOT, "0.10.2", NO_SUCH_FILE),
        (K.SNAPSHOT, "0.11.0", "rebuilt from the log"),
        (K.LEFT_OVER_SWAP, "0.8.2", "it gets its final name"),
        (K.LEFT_OVER_SWAP, "3.0", "its indexes too"),
        (K.LEFT_OVER_DELETE, "0.10.1", "does not start"),
        (K.LEFT_OVER_DELETE, "2.3", "it is deleted"),
        (K.CHECKSUM, "0.8.0", "the last segment is read through"),
        (K.CHECKSUM, "0.8.1", "everything from the recovery point on"),
    ],
)
def test_the_words_of_a_finding_depend_on_the_release(kind: FindingKind, release: str, words: str) -> None:
    assert words in said(kind, release)
