"""Recordings replayed in a lifelike cluster, with the recorder's waits: what takes time still arrives.

To replay all of them: `python -m tests.golden.replay --pace lifelike --summary --hide-open`.
"""

from pathlib import Path

import pytest

from tests.golden.emulator_peer import Emulator
from tests.golden.run import run
from tests.golden.transcript import load

RECORDINGS = [
    "1.1.1-transactions", "2.3.1-transactions_random", "2.3.1-tour", "2.8.2-group_classic", "3.9.1-transactions",
    "4.1.1-tour", "4.3.1-group_consumer",
]  # fmt: skip


@pytest.mark.parametrize("name", RECORDINGS)
def test_a_lifelike_broker_answers_as_recorded(name: str, tmp_path: Path) -> None:
    assert run(load(name), tmp_path, pace="lifelike") == []


def test_the_cluster_of_a_lifelike_replay_takes_time() -> None:
    recording = load("2.3.1-tour")
    assert Emulator(recording, pace="lifelike")._kafka._running.cluster.pace is not None
    assert Emulator(recording)._kafka._running.cluster.pace is None
