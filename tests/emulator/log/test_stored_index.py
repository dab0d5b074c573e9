"""An index and its file."""

from fakekafka.log.files import Directory
from fakekafka.log.offset_index import OffsetIndex
from fakekafka.log.stored_index import StoredIndex

ENTRY = bytes.fromhex("00000005000001f4")


def test_a_missing_file_is_made_in_full_size(root: Directory) -> None:
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


def test_clearing_makes_a_file_of_full_size_that_is_not_read_before(root: Directory) -> None:
    root.replace("i", ENTRY)
    stored = StoredIndex(root, "i", OffsetIndex(0, 24))
    root.delete("i")
    stored.clear()
    assert (len(stored.index), root.read_all("i")) == (0, bytes(24))
