"""Offsets topics that real brokers left: the emulator reads from them the groups that the real broker had.

The questions and the answers are those that the recorded broker was asked after its last restart.
"""

from pathlib import Path

import pytest
from fakekafka import FakeKafka

from tests.golden.channel import Client
from tests.golden.emulator_peer import ANY_PORT, Emulator, whole_config
from tests.golden.held_clock import HeldClock
from tests.golden.replay import Replay
from tests.golden.transcript import Recording, Restart, Start, load, names

RECORDINGS = [name for name in names() if name.endswith("-group_classic")]


class Reader(Emulator):
    """The emulator on the files of a recording."""

    def __init__(self, recording: Recording, folder: Path) -> None:
        start = next(line for line in recording.lines if isinstance(line, Start))
        self.clock = HeldClock(start.clock_ms or 0)
        self.clock.couple(recording.release)
        self.log_dir = None
        config = whole_config(recording.release, recording.controller, recording.config)
        self._kafka = FakeKafka.load(folder, recording.release, config=config, clock=self.clock, port=ANY_PORT)
        self._kafka.boot()
        self._batch_starts = frozenset()

    def connect(self, listener: str | None = None, source: str | None = None) -> Client:
        return self._kafka.connect()


@pytest.mark.parametrize("name", RECORDINGS)
def test_groups_come_back_from_the_files_of_a_real_broker(name: str, tmp_path: Path) -> None:
    recording = load(name)
    for file in recording.files:
        path = tmp_path / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
    last = max(n for n, line in enumerate(recording.lines) if isinstance(line, Restart))
    reader = Reader(recording, tmp_path)
    asked = recording.lines[last + 1 :]
    found = Replay(asked, reader).run()
    reader._kafka.stop()
    assert found == []
