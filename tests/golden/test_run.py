"""Files are compared at the stop at which they were recorded. The peer here leaves what the recording holds."""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from fakekafka.settings.options import Pace

from tests.golden import run as module
from tests.golden.playback import Playback
from tests.golden.run import run
from tests.golden.transcript import Note, Recording, Restart, StoredFile, load

STEPS = {"0.9.0.1-phases--0_9_to_0_10": [0, 1, 2, 3, 4, 5], "0.10.0.1-time_index_migration--to_1_1": [2, 3, 4, 6, 7]}
"""The stop at which the files of each folder were kept."""


class Leaving(Playback):
    """Leaves the recorded files at each stop; at the stop `spoiled`, an empty file in place of one of them."""

    def __init__(self, recording: Recording, log_dir: Path | None, spoiled: int | None = None) -> None:
        super().__init__(recording.lines)
        self.log_dir = log_dir
        self._at_stop = list(files_by_stop(recording))
        self._spoiled = spoiled
        self._stops = 0

    def stop(self, *, kill: bool) -> None:
        assert self.log_dir is not None
        for folder in self.log_dir.iterdir():
            shutil.rmtree(folder) if folder.is_dir() else folder.unlink()
        for file in self._at_stop[self._stops]:
            path = self.log_dir / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            content = b"" if self._stops == self._spoiled and file.path.endswith("0.log") else file.content
            path.write_bytes(content)
        self._stops += 1


def files_by_stop(recording: Recording) -> Sequence[Sequence[StoredFile]]:
    restarts = [line for line in recording.lines if isinstance(line, Restart)]
    folders = sorted({file.path.partition("/")[0] for file in recording.files if file.path.count("/") > 1})
    if not folders:
        return [*(restart.stopped for restart in restarts), recording.files]
    kept = dict(zip(STEPS[recording.name], folders))
    return [below(f"{kept.get(n)}/", recording.files) for n in range(len(restarts) + 1)]


def below(folder: str, files: Sequence[StoredFile]) -> list[StoredFile]:
    return [StoredFile(f.path.removeprefix(folder), f.content) for f in files if f.path.startswith(folder)]


def without_notes(recording: Recording) -> Recording:
    return replace(recording, transcripts={"": tuple(x for x in recording.lines if not isinstance(x, Note))})


@pytest.mark.parametrize("name", ["2.3.1-storage_producer_state", *STEPS])
@pytest.mark.parametrize("spoil", [False, True])
def test_files_are_compared_at_every_stop(
    name: str, spoil: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recording = without_notes(load(name))
    stop = STEPS[name][-1] if name in STEPS else None
    if spoil and stop is None:
        stop = sum(isinstance(line, Restart) for line in recording.lines)
    peer = Leaving(recording, tmp_path, spoiled=stop if spoil else None)
    monkeypatch.setattr(module, "Emulator", lambda recording, log_dir, pace: peer)
    monkeypatch.setattr("tests.golden.disk.apply", lambda log_dir, op: None)
    found = run(recording, tmp_path, files=True)
    assert bool(found) == spoil, found[:3]
    assert all(m.what == "files" for m in found)


@pytest.mark.parametrize(("left", "differences"), [(b"as recorded", 0), (b"other", 1)])
def test_files_of_notes_are_compared(
    left: bytes, differences: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = Note("now", (StoredFile("t-0/marker", b"as recorded"), StoredFile("t-0/0.index", b"not written yet")))
    recording = replace(load("2.3.1-handshake"), transcripts={"": (note,)}, files=())
    monkeypatch.setattr(module, "Emulator", lambda recording, log_dir, pace: Playback(recording.lines))
    (tmp_path / "t-0").mkdir()
    (tmp_path / "t-0/marker").write_bytes(left)
    assert [m.note for m in run(recording, tmp_path, files=True)] == ["now"] * differences


def test_files_are_not_read_where_no_recording_has_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Path | None] = []

    def peer(recording: Recording, log_dir: Path | None, pace: Pace) -> Playback:
        asked.append(log_dir)
        return Playback(recording.lines)

    monkeypatch.setattr(module, "Emulator", peer)
    assert run(load("2.3.1-handshake"), tmp_path) == []
    assert asked == [None]
