"""Signs in log directories."""

from pathlib import Path

import pytest
from fakekafka.bugs import bug
from fakekafka.bugs.here import Here
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import NOW, batch, records, unit
from fakekafka.bugs.signs.of_directories import diagnose_directory


def left_by(name: str, folder: Path, *, affected: bool = True) -> set[str]:
    """The bugs that fit the directory that a story leaves."""
    found = bug(name)
    side = found.affected if affected else found.cured
    assert side is not None
    assert found.story is not None
    stage = Here(side)
    found.story(Play(stage, side))
    stage.kafka.save(folder)
    return {one.bug for one in diagnose_directory(folder, NOW)}


@pytest.mark.parametrize("name", ["KAFKA-4734", "KAFKA-4298", "KAFKA-5443", "MIXED-MAGIC", "KAFKA-5431"])
def test_a_story_leaves_its_sign(name: str, tmp_path: Path) -> None:
    assert name in left_by(name, tmp_path / "logs")


@pytest.mark.parametrize("name", ["KAFKA-4734", "KAFKA-4298", "KAFKA-5431"])
def test_the_cured_side_leaves_no_sign(name: str, tmp_path: Path) -> None:
    assert name not in left_by(name, tmp_path / "logs", affected=False)


def segment(folder: Path, data: bytes) -> set[str]:
    (folder / "t-0").mkdir()
    (folder / "t-0" / "00000000000000000000.log").write_bytes(data)
    return {one.bug for one in diagnose_directory(folder, NOW)}


def test_timestamps_of_another_unit_are_seen(tmp_path: Path) -> None:
    assert segment(tmp_path, batch(records(time=NOW // 1000)) + batch(records(first=3, time=NOW * 1000))) == {
        "SECONDS-AS-MS", "KAFKA-6482",
    }  # fmt: skip


def test_many_empty_batches_are_seen(tmp_path: Path) -> None:
    from fakekafka.records.v2 import RecordBatch, empty

    assert segment(tmp_path, empty(RecordBatch(batch(producer=1))) * 100) == {"KAFKA-8335"}


def test_a_healthy_directory_is_silent(tmp_path: Path) -> None:
    assert segment(tmp_path, batch() + batch(records(first=3))) == set()


def test_messages_of_format_0_have_no_time_to_be_wrong(tmp_path: Path) -> None:
    assert segment(tmp_path, unit(0, records())) == set()
