"""What real brokers left behind, and what it says about a behaviour.

A witness is a recording of a real broker, or anything else that one has said or left. It *shows* a change if the
emulator does as recorded, and no longer does so when the release is given the value from the other side of the change.
So the recorded broker had the value that the history gives.
"""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from unittest.mock import patch

from fakekafka.errors import FakeKafkaError
from fakekafka.releases.release import Mode, Release, mode_called

from tests.boundaries.changes import Change, Read, noting_reads, supposing
from tests.golden import canonical
from tests.golden.open_differences import open_differences
from tests.golden.replay import Mismatch
from tests.golden.run import run
from tests.golden.transcript import Recording, Restart

NOT_EVIDENCE = "exception"
"""A replay that fails inside shows that a value does not fit, not what the real broker did."""
IN_ORDER: Final = frozenset(
    {
        "produce.responses",
        "produce.partition_responses",
        "describe_configs.configs",
    }
)
"""Lists that recordings need not repeat in their order, since brokers keep them in hash maps; `Ordered` heeds it."""


class Witness:
    """Real brokers of one release, from beginning to end."""

    def __init__(
        self, name: str, differs: Callable[[], bool], mode: Mode | None = None, *, is_equal: bool = False
    ) -> None:
        """`differs`: whether the emulator now does anything else than the real broker did.

        `is_equal`: whether it is known that it does not, as things are.
        """
        self.name = name
        release, _, self.what = name.partition("-")
        self.release = Release.parse(release)
        self.scenario, _, config = self.what.rpartition(": ")[2].partition("--")
        named = next((word for word in config.split("-") if word in ("zk", "kraft")), None)
        self.mode: Mode = mode or (mode_called(named) if named else self.release.default_mode)
        self.differs = differs
        self._is_equal: bool | None = True if is_equal else None
        self._reads: set[Read] | None = None

    def is_usable(self) -> bool:
        """Whether brokers of one release were recorded, from beginning to end."""
        return True

    def is_equal(self) -> bool:
        """Whether the emulator does as recorded, as things are."""
        if self._is_equal is None:
            self._is_equal = not self.differs()
        return self._is_equal

    def asks_about(self, change: Change) -> bool:
        """Whether the emulator reads the field of the change. If not, the witness cannot show it."""
        if self._reads is None:
            self._reads = self._read() if self.is_usable() else set()
        return change.read in self._reads

    def _read(self) -> set[Read]:
        with noting_reads() as noted, suppress(FakeKafkaError):  # some stories need what a release lacks
            self.differs()
        return noted


class Transcribed(Witness):
    """A recording, read when it is first needed."""

    def __init__(self, name: str, read: Callable[[], Recording], is_equal: bool) -> None:
        super().__init__(name, self._differs, is_equal=is_equal)
        self._recording = read

    def is_usable(self) -> bool:
        return is_of_one_release(self._recording())

    def _differs(self) -> bool:
        return any(NOT_EVIDENCE not in mismatch.difference.path for mismatch in replayed(self._recording()))


class Ordered(Transcribed):
    """A recording whose lists (`IN_ORDER`) count in the order in which they came.

    It heeds the exchanges in which the emulator has the recorded order: not every map is known to it.
    """

    def __init__(self, name: str, read: Callable[[], Recording]) -> None:
        super().__init__(name, read, is_equal=False)
        self._unlike: set[int] | None = None

    def _differs(self) -> bool:
        with _heeding_order():
            unlike = {mismatch.n for mismatch in replayed(self._recording())}
        if self._unlike is None:
            self._unlike = unlike
        return not unlike <= self._unlike


@contextmanager
def _heeding_order() -> Iterator[None]:
    caches = canonical._plan, canonical._by_chance
    for cache in caches:
        cache.cache_clear()
    try:
        ordered = patch.object(canonical, "ORDERED", canonical.ORDERED | IN_ORDER)
        with ordered, patch.object(canonical, "PARTLY_ORDERED", {}):
            yield
    finally:
        for cache in caches:
            cache.cache_clear()


def is_of_one_release(recording: Recording) -> bool:
    """Whether brokers of one release were recorded, from beginning to end."""
    if any(broker.release != recording.release for broker in recording.brokers.values()):
        return False
    restarts = [line for lines in recording.transcripts.values() for line in lines if isinstance(line, Restart)]
    return all(line.release in (None, recording.release) for line in restarts)


def replayed(recording: Recording) -> list[Mismatch]:
    """Every difference in answers, texts and files, except those that are listed as open."""
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = run(recording, Path(folder), files=True, strict_text=True)
    return open_differences().unlisted(recording.name, found)


def tells(witness: Witness, change: Change) -> bool:
    """Whether a witness shows that its release is on its side of the change."""
    try:
        if not witness.is_usable() or not witness.is_equal():
            return False
        with supposing(change.area, change.field, change.other(witness.release)):
            return witness.differs()
    except Exception:  # another release's value may not fit here at all
        return False
