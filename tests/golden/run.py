"""Replays one recording against the emulator: its answers and, if wanted, the files that it leaves."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from fakekafka.log.names import SEGMENT_SUFFIXES, SNAPSHOT, is_segment_file
from fakekafka.settings.options import Pace

from tests.golden import cluster_run
from tests.golden.emulator_peer import Emulator, several_folders
from tests.golden.form import Difference
from tests.golden.open_differences import FILES
from tests.golden.replay import Mismatch, Replay
from tests.golden.transcript import Note, Recording, Restart, StoredFile
from tests.golden.trees import Tree, compare_trees, read_tree, unmarked

OF_SEGMENTS: Final = (*SEGMENT_SUFFIXES, SNAPSHOT)
STEPS_KEPT = {"time_index_migration": (None, None, 0, 1, 2, None, 3, 4, None)}
"""The folders of a recording with steps that hold the files of each stop, where they are not simply in order."""


def run(
    recording: Recording, log_dir: Path, *, files: bool = False, strict_text: bool = False, pace: Pace = "instant"
) -> list[Mismatch]:
    """Every difference. `log_dir` must be empty; it is used if files are compared or the recording changes some."""
    if recording.brokers:
        return cluster_run.run(recording, log_dir, files=files, strict_text=strict_text)
    on_disk = files or any(isinstance(line, Restart) and line.ops for line in recording.lines)
    peer = Emulator(recording, log_dir if on_disk else None, pace)
    replay = Replay(
        recording.lines, peer, frozen=recording.frozen, strict_text=strict_text, controller=recording.controller
    )
    if not files:
        answers = replay.run()
        peer.stop(kill=True)
        return answers
    left: list[Mismatch] = []

    def compare(stop: int, line: Restart | None) -> None:
        found = _at_stop(recording, log_dir, replay, stop, line)
        left.extend(Mismatch(0, FILES, difference, f"stop {stop}") for difference in found)

    def compare_note(note: Note) -> None:
        found = _at_note(note, log_dir, replay)
        left.extend(Mismatch(0, FILES, difference, note.text) for difference in found)

    replay.at_stop = compare
    replay.at_note = compare_note
    answers = replay.run()
    peer.stop(kill=False)
    compare(replay.stops, None)
    return answers + left


def _at_stop(
    recording: Recording, log_dir: Path, replay: Replay, stop: int, line: Restart | None
) -> Iterator[Difference]:
    """Where the files at the `stop`-th stop differ from the recorded ones. `line` is None for the last stop."""
    found = read_tree(log_dir)
    replay.theirs.begin(f"stop {stop}")
    replay.ours.begin(f"stop {stop}")
    if line is not None:
        yield from compare_trees(line.stopped, _listed(line.stopped, found), replay.theirs, replay.ours)
    recorded = _recorded_at(recording, stop, last=line is None)
    if recorded:
        yield from compare_trees(recorded, found, replay.theirs, replay.ours)


def _at_note(note: Note, log_dir: Path, replay: Replay) -> Iterator[Difference]:
    """Where the files of the running broker differ from those in a note. Indexes are left out: ours are written when
    their segment ends.
    """
    recorded = [file for file in note.files if not file.path.endswith("index")]
    replay.theirs.begin(note.text)
    replay.ours.begin(note.text)
    yield from compare_trees(recorded, _listed(recorded, read_tree(log_dir)), replay.theirs, replay.ours)


def _listed(recorded: Iterable[StoredFile], found: Tree) -> Tree:
    """The files in `found` that are recorded, or of a kind of which some are."""
    listed = [unmarked(file.path) for file in recorded]
    of_kind = {_kind(path) for path in listed} - {None}
    return {path: x for path, x in found.items() if unmarked(path) in listed or _kind(unmarked(path)) in of_kind}


def _kind(path: str) -> tuple[str, str] | None:
    """A partition's directory, and which of a segment's files this is; None for other files. A stop was recorded with
    all files of a kind, or with none.
    """
    folder, _, name = path.rpartition("/")
    endings = (ending for ending in OF_SEGMENTS if is_segment_file(name, ending))
    return next(((folder, ending) for ending in endings if folder), None)


def _recorded_at(recording: Recording, stop: int, *, last: bool) -> list[StoredFile]:
    """The files that were kept at a stop."""
    folders = {file.path.partition("/")[0] for file in recording.files if file.path.count("/") > 1}
    steps = sorted(folders - set(several_folders(recording.config)))
    if not steps:
        return list(recording.files) if last else []
    kept = STEPS_KEPT.get(recording.scenario, tuple(range(len(steps))))
    step = kept[stop] if stop < len(kept) else None
    if step is None:
        return []
    folder = steps[step] + "/"
    return [StoredFile(f.path.removeprefix(folder), f.content) for f in recording.files if f.path.startswith(folder)]
