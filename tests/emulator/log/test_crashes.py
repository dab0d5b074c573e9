"""A crash at every single write: of appends, rolls, flushes, checkpoints, retention, truncation, compaction, a stop.

After each, the log that is on the disk must open, be sound, hold what was acknowledged and nothing else, and go on.
If the process is killed, everything written is there; if the machine goes down, only what was flushed, and as
much of the rest as chance leaves.
"""

from contextlib import suppress
from itertools import count, pairwise
from random import Random

import pytest
from fakekafka.errors import BrokerWillNotStart
from fakekafka.ids import Position
from fakekafka.log.check import check
from fakekafka.log.faulty_files import DiskFaults, Stopped
from fakekafka.log.files import Directory

from tests.emulator.log.batches import rules
from tests.emulator.log.crash_story import FOLDER, Story, Telling, stored_in

RELEASES = ["0.8.2", "0.10.2", "0.11.0", "1.1", "2.4", "2.8", "3.0", "4.1"]


def appends(story: Story) -> None:
    """Appends that make index entries and fill segments."""
    for n in range(14):
        story.append(b"a", b"b%d" % n)


def rolls(story: Story) -> None:
    for n in range(4):
        story.append(b"a", producer=n)
        story.roll()


def flushes(story: Story) -> None:
    for n in range(3):
        story.append(b"a", b"b", b"c", producer=n)
        story.flush()


def checkpoints(story: Story) -> None:
    for n in range(5):
        story.append(b"a" * 50, b"b" * 50, producer=n)
        story.checkpoint()
        if n % 2:
            story.roll()


def truncations(story: Story) -> None:
    for n in range(4):
        for key in (b"a", b"b", b"c"):
            story.append(key * 40, producer=7 + n % 2)
        story.roll()
    story.flush()
    story.truncate(story.end - 1)
    story.append(b"d", producer=9)
    story.truncate(5)
    story.append(b"e", producer=9)


def retention(story: Story) -> None:
    for n in range(16):
        story.append(b"a" * 60, producer=n % 3)
    story.retain()
    story.checkpoint()
    story.remove_files()


def compaction(story: Story) -> None:
    for n in range(20):
        story.append(b"k%d" % (n % 3), b"once %d" % n, producer=-1 if n % 2 else 7)
    story.append(b"k1", tombstone=True)
    story.roll()
    story.checkpoint()
    story.compact()
    story.append(b"k2")
    story.remove_files()


def stops(story: Story) -> None:
    for n in range(3):
        story.append(b"a", producer=n)
        story.restart()


def transactions(story: Story) -> None:
    for n in range(4):
        story.append(b"a", producer=1, transactional=True)
        story.append(b"b", producer=2, transactional=True)
        story.end_transaction(1, commit=n % 2 == 0)
        story.roll()
        story.end_transaction(2, commit=False)


def one_segment(story: Story) -> None:
    for _ in range(4):
        story.append(b"a" * 60)


TELLINGS: list[Telling] = [
    appends, rolls, flushes, checkpoints, truncations, retention, compaction, stops, transactions
]  # fmt: skip


def told(release: str, telling: Telling, faults: DiskFaults) -> Story:
    """The story up to its end, or to the crash."""
    story = Story(release, faults)
    try:
        story.begin()
        telling(story)
    except Stopped:
        pass
    return story


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("telling", TELLINGS, ids=lambda telling: telling.__name__)
def test_a_crash_at_any_write_loses_nothing_that_was_acknowledged(telling: Telling, release: str) -> None:
    if telling is transactions and not rules(release).producer_state:
        pytest.skip("that release has none")
    chance = Random(0)
    for stop_at in count():
        faults = DiskFaults(stop_at, torn=chance.choice([0, 7, 20, 70]))
        story = told(release, telling, faults)
        story.check_survival(None)
        story.check_survival(chance.randrange if stop_at % 3 else lambda _: 0)
        if not faults.has_stopped:
            break
    assert stop_at > 5


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("telling", [appends, rolls, retention, compaction], ids=lambda telling: telling.__name__)
def test_a_full_disk_loses_nothing(telling: Telling, release: str) -> None:
    """At whatever write the disk is full, the broker stops using the log, and finds it whole once there is room."""
    for space in range(0, 1600, 61):
        story = Story(release, DiskFaults(space=space))
        story.begin()
        with suppress(OSError):
            telling(story)
        story.root.faults.space = None
        story.check_survival(None)


@pytest.mark.parametrize("telling", [appends, truncations])
def test_0_8_0_does_not_start_when_it_was_killed_between_a_log_and_its_index(telling: Telling) -> None:
    """It finds the log without the index (Log.loadSegments). Killed at any other write, it starts and loses nothing."""
    refused = []
    for stop_at in count():
        story = told("0.8.0", telling, DiskFaults(stop_at))
        try:
            story.check_survival(None)
        except BrokerWillNotStart as why:
            refused.append(str(why))
        if not story.root.faults.has_stopped:
            break
    assert set(refused) == {"Found log file with no corresponding index file."}
    assert len(refused) < stop_at / 4


def flip_bit(directory: Directory, name: str, position: Position, bit: int) -> None:
    """Flip a bit of a file without changing its time."""
    data, at = bytearray(directory.read_all(name)), directory.last_modified_ms(name)
    data[position] ^= 1 << bit
    directory.replace(name, bytes(data))
    directory.set_last_modified(name, at)


@pytest.mark.parametrize("release", RELEASES)
def test_a_flipped_bit_ends_the_log_there_after_a_crash(release: str) -> None:
    """The unit, if it was not flushed, and everything after it go, and everything before it stays."""
    story = told(release, one_segment, DiskFaults())
    whole = stored_in(story.log)
    segment = story.log.segments[0]
    ends = [*segment.load_units().positions, segment.size]
    for n, (start, end) in enumerate(pairwise(ends)):
        for at in (start + 17, (start + end) // 2, end - 1):  # not the offset, which has no checksum
            disk = story.root.survivors()
            flip_bit(disk.directory(FOLDER), segment.name(".log"), at, bit=at % 8)
            log = story.opened(disk, clean=False)
            assert stored_in(log) == whole[:n]
            assert check(disk.directory(FOLDER)) == []
