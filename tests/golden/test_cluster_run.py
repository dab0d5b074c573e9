"""Recordings of several brokers: the emulated brokers also leave the files of the real ones."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.golden import cluster_run
from tests.golden.open_differences import open_differences
from tests.golden.report import details
from tests.golden.transcript import Note, load, names

CLUSTERS = [name for name in names() if load(name).brokers]


def test_there_are_cluster_recordings() -> None:
    assert len(CLUSTERS) == 3


@pytest.mark.statement("S0-55")
@pytest.mark.statement("S0-58")
@pytest.mark.parametrize("name", CLUSTERS)
def test_answers_and_files_are_those_of_the_real_brokers(name: str, tmp_path: Path) -> None:
    unlisted = open_differences().unlisted(name, cluster_run.run(load(name), tmp_path, files=True))
    assert not unlisted, "\n".join(details(unlisted, first=10))


def test_files_that_differ_are_found(tmp_path: Path) -> None:
    recording = load("0.10.0.1-canary--others-ibp-0.9")
    cut = tuple(replace(file, content=file.content[:-1]) for file in recording.files)
    found = cluster_run.run(replace(recording, files=cut), tmp_path, files=True)
    steps = {mismatch.difference.path.split("/")[0] for mismatch in found}
    assert steps == {"1-canary", "2-data-kept", "3-data-deleted"}


def test_steps_begin_with_notes() -> None:
    first, second = Note("one"), Note("two")
    assert list(cluster_run._steps([first, second])) == [[], [first], [second]]
