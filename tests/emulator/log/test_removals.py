"""When the files of discarded segments go."""

import pytest
from fakekafka.log.config import LogConfig
from fakekafka.log.files import Directory
from fakekafka.log.removals import Removals
from fakekafka.log.segment import Segment

from tests.emulator.log.batches import batch, rules

SNAPSHOT = "00000000000000000000.snapshot"


def segment_in(directory: Directory, release: str) -> Segment:
    segment = Segment(directory, 0, rules(release), LogConfig(), 0)
    segment.make_files(indexes=True)
    segment.append(*batch(0, 1), 0, 0)
    directory.replace(SNAPSHOT, b"")
    return segment


def test_files_are_renamed_now_and_deleted_later(root: Directory) -> None:
    removals = Removals(root, rules("2.3"))
    removals.discard([segment_in(root, "2.3")], now=100, delay_ms=50)
    marked = [name for name in root.names() if name.endswith(".deleted")]
    assert len(marked) == 3
    assert removals.announce() == (150,)
    assert removals.announce() == ()
    removals.delete_due(149)
    assert len(root.names()) == 4
    removals.delete_due(150)
    assert root.names() == [SNAPSHOT]


def test_0_8_0_deletes_at_once(root: Directory) -> None:
    removals = Removals(root, rules("0.8.0"))
    removals.discard([segment_in(root, "0.8.0")], now=100, delay_ms=50)
    assert root.names() == [SNAPSHOT]
    assert removals.announce() == ()


@pytest.mark.parametrize(
    ("release", "meanwhile", "left"),
    [("2.7", SNAPSHOT, [SNAPSHOT]), ("2.8", SNAPSHOT, []), ("3.0", SNAPSHOT + ".deleted", [])],
)
def test_the_snapshot_goes_with_its_segment_from_2_8_on(
    root: Directory, release: str, meanwhile: str, left: list[str]
) -> None:
    removals = Removals(root, rules(release))
    removals.discard([segment_in(root, release)], now=100, delay_ms=50)
    assert root.exists(meanwhile)
    removals.delete_due(150)
    assert root.names() == left


def test_nothing_is_due_if_nothing_was_discarded(root: Directory) -> None:
    removals = Removals(root, rules("3.9"))
    removals.discard([], now=100, delay_ms=50)
    assert removals.announce() == ()
