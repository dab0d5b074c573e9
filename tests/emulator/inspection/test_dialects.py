"""`dump` and `check` read batches of plug-ins, by the registry beside them, or say which one is missing."""

import shutil
from pathlib import Path

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.inspection.directory_check import check_directory
from fakekafka.inspection.dump import dump
from fakekafka.plugins.installed import installed

from tests.support.plugins import SNAPPY, plugged, rows
from tests.support.producing import one
from tests.support.seeded import NOW


@pytest.fixture(params=[1, 2])
def log_dir(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Files of one broker, or of two, one of which leads the registry."""
    kafka = FakeKafka(
        "3.9", drafts=["KIP-984"], clock=ManualClock(NOW), log_dir=tmp_path / "logs", brokers=request.param
    ).boot()
    kafka.plugins.install("mine", (lambda data: data[::-1], lambda data: data[::-1]))
    for alias in (SNAPPY, "mine"):
        kafka.plugins.register(alias)
    kafka.create_topic("t")
    assert one(kafka, plugged(), 3).error_code == 0
    kafka.stop()
    return tmp_path / "logs"


def log_of(log_dir: Path, folder: str = "t-0") -> Path:
    return next(log_dir.rglob(f"{folder}/00000000000000000000.log"))


@pytest.mark.statement("S3-27")
def test_a_dump_names_the_plugin_and_shows_the_records(log_dir: Path) -> None:
    batch, *found = dump(log_of(log_dir))
    assert batch.fields["codec"] == SNAPPY
    assert [row.fields["value"] for row in found] == [rows()[0].value] * 3
    assert list(check_directory(log_dir)) == []


@pytest.mark.statement("S3-28", "S3-9")
def test_a_plugin_that_is_not_installed_is_named(log_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fakekafka.plugins.known.installed", lambda: {"lzmaPlugin": installed()["lzmaPlugin"]})
    batch, broken = dump(log_of(log_dir))
    assert (batch.fields["codec"], broken.kind) == (5, "broken")
    why = "Unknown compression name: snappyPlugin is not installed here (java.snappyPlugin)"
    assert broken.fields["why"] == why
    assert [found.finding.what for found in check_directory(log_dir)] == [why]


def test_without_the_registry_only_the_id_is_known(log_dir: Path) -> None:
    """The registry of another cluster is close by."""
    for number, folder in enumerate(list(log_dir.rglob("plugin-java-topic-0"))):
        shutil.copytree(folder, log_dir.parent / f"other-{number}" / folder.name)
        folder.rename(folder.with_name("elsewhere"))
    _, broken = dump(log_of(log_dir))
    assert broken.fields["why"] == "Unknown compression name: no plug-in has the id 1"
