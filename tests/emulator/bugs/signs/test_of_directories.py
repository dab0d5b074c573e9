"""Signs in log directories: what the stories leave, and what healthy directories do not show."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from fakekafka.bugs import all_bugs, bug
from fakekafka.bugs.here import Here
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import NOW, batch, records, unit
from fakekafka.bugs.signs.of_directories import SIGNS, diagnose_directory
from fakekafka.records.v2 import RecordBatch, empty
from fakekafka.releases.release import Release

from tests.golden.transcript import Restart, StoredFile, load, load_data_directory, names, releases_with_data

YEAR_MS = 365 * 86_400_000
BY_CLIENTS = {"KAFKA-5443", "MIXED-MAGIC", "V1-HOLES", "SECONDS-AS-MS", "KAFKA-6482", "KAFKAJS-188"}
"""Both sides of these stories leave the same files: a reader of them goes wrong, or the client caused the fault."""
LEGAL = {"MIXED-MAGIC", "V1-HOLES", "KAFKA-5443"}
"""Scenarios of legal bytes that some clients cannot read: the recorded topics were compacted, and changed formats."""
NEEDS_RELEASE = {"OFFSET-VALUE-DOWNGRADE"}
LATER = {"KAFKA-8522": NOW + YEAR_MS}
"""When the directory is examined, if later than the story's end."""
NOT_LEFT = {"KAFKA-1755", "SECONDS-AS-MS", "KAFKAJS-188"}
"""Stories that end before the cleaner has run, or with the records deleted."""


def left_by(name: str, folder: Path, *, affected: bool = True) -> set[str]:
    """The bugs that fit the directory that a story leaves."""
    found = bug(name)
    side = found.affected if affected else found.cured
    assert side is not None
    assert found.story is not None
    stage = Here(side)
    found.story(Play(stage, side))
    stage.kafka.save(folder)
    release = Release.parse(side.release) if name in NEEDS_RELEASE else None
    return {one.bug for one in diagnose_directory(folder, LATER.get(name, NOW), release)}


@pytest.mark.parametrize("name", [name for name in SIGNS if bug(name).story and name not in NOT_LEFT])
def test_a_story_leaves_its_sign(name: str, tmp_path: Path) -> None:
    assert name in left_by(name, tmp_path / "logs")


@pytest.mark.parametrize("name", [name for name in SIGNS if bug(name).story and name not in BY_CLIENTS])
def test_the_cured_side_leaves_no_sign(name: str, tmp_path: Path) -> None:
    assert name not in left_by(name, tmp_path / "logs", affected=False)


@pytest.mark.parametrize("release", releases_with_data())
def test_directories_of_real_brokers_show_no_bug(release: str, tmp_path: Path) -> None:
    runs = {one.id: one.runs for one in all_bugs()}
    found = shown(load_data_directory(release).files, tmp_path) - LEGAL
    assert [one for one in found if Release.parse(release) not in runs[one]] == []


def test_files_of_recorded_brokers_show_no_bug_that_they_do_not_have(tmp_path: Path) -> None:
    """No recording with files shows a bug that its release does not have, although the release is not named."""
    runs = {one.id: one.runs for one in all_bugs()}
    alarms = []
    for name in names():
        recording = load(name)
        releases = {Release.parse(recording.release)} | {
            Release.parse(line.release)
            for lines in recording.transcripts.values()
            for line in lines
            if isinstance(line, Restart) and line.release
        }
        logs = any(file.path.endswith(".log") for file in recording.files)
        found = shown(recording.files, tmp_path / name) if logs else set()
        alarms += [(name, one) for one in found - LEGAL if not any(release in runs[one] for release in releases)]
    assert alarms == []


def shown(files: Iterable[StoredFile], folder: Path) -> set[str]:
    """The bugs that files show a year after the recording."""
    for file in files:
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
    return {one.bug for one in diagnose_directory(folder, NOW + YEAR_MS)}


# ---- signs in detail


def segment(folder: Path, data: bytes, **others: bytes) -> set[str]:
    """The bugs that one segment shows; `others`: files beside the partition, by name, with underscores for hyphens."""
    (folder / "t-0").mkdir()
    (folder / "t-0" / "00000000000000000000.log").write_bytes(data)
    for name, content in others.items():
        (folder / name.replace("_", "-")).write_bytes(content)
    return {one.bug for one in diagnose_directory(folder, NOW)}


def test_timestamps_in_another_unit_are_a_sign(tmp_path: Path) -> None:
    assert segment(tmp_path, batch(records(time=NOW // 1000)) + batch(records(first=3, time=NOW * 1000))) == {
        "SECONDS-AS-MS", "KAFKA-6482",
    }  # fmt: skip


def test_two_empty_batches_of_one_producer_are_a_sign(tmp_path: Path) -> None:
    assert segment(tmp_path, empty(RecordBatch(batch(producer=1))) * 2) == {"KAFKA-8335"}


def test_one_empty_batch_of_each_producer_is_healthy(tmp_path: Path) -> None:
    assert segment(tmp_path, b"".join(empty(RecordBatch(batch(producer=n))) for n in range(200))) == set()


def test_a_message_without_a_key_is_a_sign_in_a_compacted_partition(tmp_path: Path) -> None:
    found = segment(tmp_path, unit(0, records(1, keys=[None])), cleaner_offset_checkpoint=b"0\n1\nt 0 0\n")
    assert found == {"KAFKA-1755"}


def test_a_message_without_a_key_is_healthy_in_a_partition_that_is_not_compacted(tmp_path: Path) -> None:
    assert segment(tmp_path, unit(0, records(1, keys=[None])), cleaner_offset_checkpoint=b"0\n0\n") == set()


def test_a_healthy_directory_shows_no_bug(tmp_path: Path) -> None:
    assert segment(tmp_path, batch() + batch(records(first=3))) == set()


def test_messages_of_format_0_have_no_timestamp_that_could_be_wrong(tmp_path: Path) -> None:
    assert segment(tmp_path, unit(0, records())) == set()


def test_a_release_that_does_not_have_a_bug_is_not_accused_of_it(tmp_path: Path) -> None:
    segment(tmp_path, empty(RecordBatch(batch(producer=1))) * 2)
    assert diagnose_directory(tmp_path, NOW, Release.parse("2.3")) == []


def test_damaged_small_files_are_skipped(tmp_path: Path) -> None:
    assert segment(tmp_path, batch(), cleaner_offset_checkpoint=b"no checkpoint") == set()


def test_folders_with_the_names_of_files_are_skipped(tmp_path: Path) -> None:
    partition = tmp_path / "t-0"
    for name in ("app.log", "0.timeindex", "0.txnindex", "9.snapshot"):
        (partition / name).mkdir(parents=True)
    assert diagnose_directory(tmp_path, NOW) == []
    (partition / "00000000000000000000.log").write_bytes(batch())
    assert diagnose_directory(tmp_path, NOW) == []
