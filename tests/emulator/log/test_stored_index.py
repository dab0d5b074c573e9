"""An index and its file."""

import tracemalloc

import pytest
from fakekafka.log.files import Directory
from fakekafka.log.offset_index import OffsetIndex
from fakekafka.log.stored_index import StoredIndex

ENTRY = bytes.fromhex("00000005000001f4")


def test_a_missing_file_is_made_at_full_size(root: Directory) -> None:
    StoredIndex(root, "i", OffsetIndex(0, 30))
    assert root.read_all("i") == bytes(24)


def test_a_file_that_is_only_read_stays_as_it_is(root: Directory) -> None:
    root.replace("i", ENTRY)
    stored = StoredIndex(root, "i", OffsetIndex(0, 80))
    assert stored.index.entries() == [(5, 500)]
    stored.trim()
    stored.flush()
    stored.close()
    assert root.read_all("i") == ENTRY


def test_trimming_drops_bytes_that_are_not_an_entry(root: Directory) -> None:
    root.replace("i", ENTRY + b"abc")
    stored = StoredIndex(root, "i", OffsetIndex(0, 80))
    stored.trim()
    assert root.read_all("i") == ENTRY


def test_new_entries_show_when_the_file_is_flushed_resized_or_closed(root: Directory) -> None:
    stored = StoredIndex(root, "i", OffsetIndex(0, 24))
    stored.index.append(5, 500)
    stored.flush()
    assert root.read_all("i") == ENTRY + bytes(16)
    stored.trim()
    assert root.read_all("i") == ENTRY
    stored.resize()
    assert root.size_of("i") == 24
    stored.index.append(6, 600)
    stored.close()
    assert root.read_all("i") == ENTRY + bytes.fromhex("0000000600000258") + bytes(8)


def test_dropped_entries_stay_in_the_file_until_others_take_their_place(root: Directory) -> None:
    stored = StoredIndex(root, "i", OffsetIndex(0, 32))
    for offset in (5, 6, 7):
        stored.index.append(offset, offset * 100)
    before = stored.index.content()
    stored.truncate_to(6)
    stored.resize()
    assert root.read_all("i") == before + bytes(8)
    stored.index.append(8, 800)
    stored.close()
    assert root.read_all("i") == before[:8] + bytes.fromhex("0000000800000320") + before[16:] + bytes(8)
    assert stored.index.entries() == [(5, 500), (8, 800)]


@pytest.mark.parametrize("is_read", [False, True])
def test_cleared_entries_stay_in_the_file(root: Directory, is_read: bool) -> None:
    root.replace("i", ENTRY)
    stored = StoredIndex(root, "i", OffsetIndex(0, 24))
    assert not is_read or len(stored.index) == 1
    stored.clear()
    assert (len(stored.index), root.read_all("i")) == (0, ENTRY + bytes(16))


def test_a_trimmed_file_has_no_dropped_entries(root: Directory) -> None:
    root.replace("i", ENTRY)
    stored = StoredIndex(root, "i", OffsetIndex(0, 24))
    stored.clear()
    stored.trim()
    stored.resize()
    assert root.read_all("i") == bytes(24)


@pytest.mark.parametrize("loaded", [False, True])
def test_an_index_that_a_kill_left_untrimmed_holds_no_memory_once_it_is_cleared(root: Directory, loaded: bool) -> None:
    size = 1 << 20
    root.replace("i", ENTRY + bytes(size - len(ENTRY)))
    stored = StoredIndex(root, "i", OffsetIndex(0, size))
    if loaded:
        assert len(stored.index) == size // len(ENTRY)
    tracemalloc.start()
    try:
        stored.clear()
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert root.read_all("i")[: len(ENTRY)] == ENTRY
    assert root.size_of("i") == size
    assert held < size // 4
