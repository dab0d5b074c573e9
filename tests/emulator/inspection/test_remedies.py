"""What a broker does about a finding: every kind has words, and they follow the release."""

import pytest
from fakekafka.inspection.remedies import UNKNOWN, remedy
from fakekafka.log.findings import Finding
from fakekafka.releases.profile import profile
from fakekafka.releases.release import LAST_PATCH, Release

KINDS = (
    "broken unit", "preallocated", "checksum", "torn", "offset order", "overlap", "index", "timeindex", "txnindex",
    "snapshot", "epochs", "left over .swap", "left over .deleted", "left over .cleaned", "left over .tmp",
    "left over -delete", "left over -future", "left over -stray", "unknown directory", "checkpoint",
    "partition.metadata",
)  # fmt: skip


def said(kind: str, release: str, file: str = "f", what: str = "w") -> str:
    return remedy(Finding(file, None, kind, what), profile(Release.parse(release)))


@pytest.mark.parametrize("release", LAST_PATCH)
@pytest.mark.parametrize("kind", KINDS)
def test_there_are_words_for_every_kind_and_release(kind: str, release: str) -> None:
    assert said(kind, release)


@pytest.mark.parametrize(
    ("kind", "release", "words"),
    [
        ("preallocated", "0.10.1", "after a clean one, too"),
        ("preallocated", "0.10.2", "after a clean one the broker does not start"),
        ("index", "1.1", "if its last offset is not beyond its base"),
        ("index", "2.3", "after a clean one it is used as it is"),
        ("timeindex", "0.10.0", "knows no such file"),
        ("snapshot", "0.10.2", "knows no such file"),
        ("snapshot", "0.11.0", "made from the log again"),
        ("left over .swap", "0.8.2", "it gets its final name"),
        ("left over .swap", "3.0", "its indexes too"),
        ("left over -delete", "0.10.1", "does not start"),
        ("left over -delete", "2.3", "it is deleted"),
        ("partition.metadata", "2.8", UNKNOWN),
    ],
)
def test_the_words_follow_the_release(kind: str, release: str, words: str) -> None:
    assert words in said(kind, release)
