"""Any story of appends, rolls, flushes, checkpoints, truncation, retention, compaction, stops and crashes.

`crash_story.Story`, a plain list of what was sent, says what must be there after a crash; nothing else may be there.
"""

from fakekafka.log.check import check
from fakekafka.log.faulty_files import DiskFaults
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.emulator.log.crash_story import EVERYTHING, FOLDER, Story, stored_in
from tests.support.examples import at_most

RELEASES = ["0.8.2", "0.10.1", "0.11.0", "1.1", "2.0", "2.4", "2.8", "3.0", "3.9", "4.1"]
KEYS = st.lists(st.sampled_from([b"a", b"b", b"c", b"d"]), min_size=1, max_size=4)


class CrashStory(RuleBasedStateMachine):
    """One story of one release."""

    @initialize(release=st.sampled_from(RELEASES))
    def begin(self, release: str) -> None:
        self.story = Story(release, DiskFaults())
        self.story.begin()

    @rule(keys=KEYS, tombstone=st.booleans(), producer=st.sampled_from([-1, 7, 8]), size=st.integers(0, 150))
    def append(self, keys: list[bytes], tombstone: bool, producer: int, size: int) -> None:
        self.story.now += 10
        self.story.append(*keys, b"x" * size, tombstone=tombstone, producer=producer)

    @precondition(lambda self: self.story.magic == 2)
    @rule(commit=st.booleans(), ends=st.booleans())
    def transact(self, commit: bool, ends: bool) -> None:
        self.story.append(b"t", producer=9, transactional=True)
        if ends:
            self.story.end_transaction(9, commit=commit)

    @precondition(lambda self: self.story.log.segments[-1].size > 0)
    @rule()
    def roll(self) -> None:
        self.story.roll()

    @rule()
    def flush(self) -> None:
        self.story.flush()

    @rule()
    def checkpoint(self) -> None:
        self.story.checkpoint()

    @rule(count=st.integers(1, 9))
    def truncate(self, count: int) -> None:
        """Truncate between two units that are still there, as followers do."""
        ends = [unit.last_offset + 1 for segment in self.story.log.segments for unit in segment.batches()]
        kept = [end for end in ends if self.story.log.log_start_offset <= end <= self.story.end - count]
        if kept:
            self.story.truncate(kept[-1])

    @rule()
    def retain(self) -> None:
        self.story.retain()

    @rule()
    def remove_files(self) -> None:
        self.story.remove_files()

    @rule()
    def compact(self) -> None:
        self.story.compact()

    @rule()
    def restart(self) -> None:
        self.story.restart()

    @rule()
    def kill(self) -> None:
        self.story.crash(None)

    @rule(kept=st.integers(0, 400))
    def lose_power(self, kept: int) -> None:
        """This many of the unflushed bytes survive, and every second index survives as it was last written."""
        self.story.crash(lambda size: min(kept, size - 1))

    @invariant()
    def it_is_sound_and_holds_what_was_sent(self) -> None:
        assert check(self.story.root.directory(FOLDER), compacted_to=EVERYTHING) == []
        self.story.compare(stored_in(self.story.log), self.story.end)


TestCrashStory = CrashStory.TestCase
TestCrashStory.settings = at_most(40, stateful_step_count=25, deadline=None)
