"""What a recording of a real broker says about a behaviour.

A recording *shows* a change if the emulator replays it as recorded, and no longer does so when the release is given the
value from the other side of the change. So the recorded broker had the value that the history gives.
"""

import warnings
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from fakekafka.releases.release import Mode, Release, mode_called

from tests.boundaries.changes import Change, Read, noting_reads, supposing
from tests.golden.open_differences import open_differences
from tests.golden.replay import Mismatch
from tests.golden.run import run
from tests.golden.transcript import Recording, Restart

NOT_EVIDENCE = "exception"
"""A replay that fails inside shows that a value does not fit, not what the real broker did."""


class Witness:
    """A recording of one broker, read when it is first needed."""

    def __init__(self, name: str, read: Callable[[], Recording], is_equal: bool) -> None:
        """`is_equal`: whether the recording is known to replay without a difference."""
        self.name = name
        release, _, rest = name.partition("-")
        self.release = Release.parse(release)
        self.scenario, _, config = rest.partition("--")
        named = next((word for word in config.split("-") if word in ("zk", "kraft")), None)
        self.mode: Mode = mode_called(named) if named else self.release.default_mode
        self._read = read
        self._is_equal: bool | None = True if is_equal else None
        self._reads: set[Read] | None = None

    @property
    def recording(self) -> Recording:
        return self._read()

    def is_equal(self) -> bool:
        """Whether the recording replays without a difference as things are."""
        if self._is_equal is None:
            self._is_equal = not replayed(self.recording)
        return self._is_equal

    def asks_about(self, change: Change) -> bool:
        """Whether its replay reads the field of the change. If not, it cannot show it."""
        if self._reads is None:
            self._reads = reads(self.recording) if is_of_one_release(self.recording) else set()
        return change.read in self._reads


def is_of_one_release(recording: Recording) -> bool:
    """Whether one broker of one release was recorded, from beginning to end."""
    if len(recording.transcripts) > 1 or recording.brokers:
        return False
    restarts = [line for line in recording.lines if isinstance(line, Restart)]
    return all(line.release in (None, recording.release) for line in restarts)


def replayed(recording: Recording) -> list[Mismatch]:
    """Every difference in answers, texts and files, except those that are listed as open."""
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = run(recording, Path(folder), files=True, strict_text=True)
    return open_differences().unlisted(recording.name, found)


def reads(recording: Recording) -> set[Read]:
    """The fields of behaviours that the emulator reads while it replays the recording."""
    with noting_reads() as noted:
        replayed(recording)
    return noted


def tells(witness: Witness, change: Change) -> bool:
    """Whether a recording shows that its release is on its side of the change."""
    recording = witness.recording
    if not is_of_one_release(recording) or not witness.is_equal():
        return False
    try:
        with supposing(change.area, change.field, change.other(witness.release)):
            found = replayed(recording)
    except Exception:  # another release's value may not fit here at all
        return False
    return any(NOT_EVIDENCE not in mismatch.difference.path for mismatch in found)
