"""Checkpoints and the other text files of a log directory."""

import pytest
from fakekafka.errors import MalformedBytes
from fakekafka.log import names
from fakekafka.log.checkpoints import (
    Checkpoints,
    checkpoint_bytes,
    checkpoint_rows,
    clean_shutdown_content,
    epoch_rows,
    offset_rows,
    partition_metadata_bytes,
    topic_id_of,
)
from fakekafka.log.files import Directory
from fakekafka.log.memory_files import MemoryDirectory
from hypothesis import given
from hypothesis import strategies as st

TOPICS = st.from_regex(r"[a-zA-Z0-9._-]{1,20}", fullmatch=True)
OFFSETS = st.dictionaries(st.tuples(TOPICS, st.integers(0, 2**31 - 1)), st.integers(0, 2**63 - 1), max_size=6)


def test_a_checkpoint_has_a_line_for_each_partition(root: Directory) -> None:
    checkpoints = Checkpoints(root)
    checkpoints.write_offsets(names.RECOVERY_POINTS, {("orders", 0): 17, ("orders", 1): 4})
    assert root.read_all("recovery-point-offset-checkpoint") == b"0\n2\norders 0 17\norders 1 4\n"


@given(OFFSETS)
def test_a_checkpoint_is_read_as_it_was_written(offsets: dict[tuple[str, int], int]) -> None:
    checkpoints = Checkpoints(MemoryDirectory())
    checkpoints.write_offsets(names.LOG_STARTS, offsets)
    assert checkpoints.offsets(names.LOG_STARTS) == offsets


def test_a_missing_or_empty_checkpoint_has_no_offsets(root: Directory) -> None:
    checkpoints = Checkpoints(root)
    assert checkpoints.offsets(names.HIGH_WATERMARKS) == {}
    checkpoints.make_missing(names.HIGH_WATERMARKS, names.CLEANER_OFFSETS)
    assert root.names() == ["cleaner-offset-checkpoint", "replication-offset-checkpoint"]
    assert checkpoints.offsets(names.HIGH_WATERMARKS) == {}
    checkpoints.write_offsets(names.HIGH_WATERMARKS, {("t", 0): 1})
    checkpoints.make_missing(names.HIGH_WATERMARKS)
    assert checkpoints.offsets(names.HIGH_WATERMARKS) == {("t", 0): 1}


@pytest.mark.parametrize(
    "data", [b"1\n0\n", b"1\n", b"0\n1\n", b"0\nx\n", b"0\n1\nt 0 x\n", b"0\n1\nt 0\n", b"0\n1\na b c d\n"]
)
def test_other_files_are_malformed(data: bytes) -> None:
    root = MemoryDirectory()
    root.replace(names.RECOVERY_POINTS, data)
    with pytest.raises(MalformedBytes):
        Checkpoints(root).offsets(names.RECOVERY_POINTS)


@pytest.mark.parametrize("data", [b"", b"0", b"0\n", b"0\n0\n"])
def test_a_checkpoint_may_end_after_its_version(data: bytes) -> None:
    """Recorded from 0.11.0.3 and 3.9.1: watermark_damage."""
    assert offset_rows(data) == {}


def test_lines_of_a_checkpoint_end_as_in_java() -> None:
    assert offset_rows(b"0\r\n1\rt 0 5") == {("t", 0): 5}
    with pytest.raises(MalformedBytes):
        offset_rows(b"0\n2\nt 0 5\x0bu 0 6\n")


@given(st.binary(max_size=40))
def test_any_bytes_are_a_checkpoint_or_malformed(data: bytes) -> None:
    try:
        rows = checkpoint_rows(data)
    except MalformedBytes:
        return
    assert all(isinstance(word, str) for row in rows for word in row)


@pytest.mark.parametrize(
    "row", [b"t 2147483648 0", b"t 0 9223372036854775808", b"t 1_0 0", b"t 0 1_0", b"t 0 x", b"t 0"]
)
def test_numbers_of_a_checkpoint_are_those_of_java(row: bytes) -> None:
    with pytest.raises(MalformedBytes):
        offset_rows(b"0\n1\n" + row + b"\n")
    assert offset_rows(b"0\n1\nt 2147483647 -9223372036854775808\n") == {("t", 2**31 - 1): -(2**63)}


@pytest.mark.parametrize(
    "row", [b"2147483648 0", b"0 9223372036854775808", b"-2147483649 0", b"1_0 0", b"99999999999999999999 0"]
)
def test_leader_epochs_have_32_bits_and_offsets_64(row: bytes) -> None:
    with pytest.raises(MalformedBytes):
        epoch_rows(b"0\n1\n" + row + b"\n")
    assert epoch_rows(b"0\n1\n2147483647 9223372036854775807\n") == [(2**31 - 1, 2**63 - 1)]


def test_rows_are_words() -> None:
    assert checkpoint_rows(checkpoint_bytes(["0 0", "1 5"])) == [["0", "0"], ["1", "5"]]


def test_the_clean_marker_counts_by_being_there(root: Directory) -> None:
    checkpoints = Checkpoints(root)
    assert not checkpoints.clean_shutdown
    checkpoints.mark_clean_shutdown(clean_shutdown_content(81))
    assert checkpoints.clean_shutdown
    assert root.read_all(".kafka_cleanshutdown") == b'{"version":0,"brokerEpoch":81}'  # recorded from 4.3.1
    checkpoints.unmark_clean_shutdown()
    checkpoints.unmark_clean_shutdown()
    assert not checkpoints.clean_shutdown


def test_meta_properties_are_java_properties(root: Directory) -> None:
    checkpoints = Checkpoints(root)
    assert checkpoints.meta_properties() == {}
    properties = {"broker.id": "0", "version": "0", "cluster.id": "a=b"}
    checkpoints.write_meta_properties(properties, "Sun Sep 13 12:26:40 UTC 2020")
    assert root.read_all("meta.properties").startswith(b"#\n#Sun Sep 13 12:26:40 UTC 2020\nbroker.id=0\n")
    assert checkpoints.meta_properties() == properties


def test_partition_metadata_holds_the_topics_id() -> None:
    data = partition_metadata_bytes("AAAAAAAAAAAAAAAAAAAAAQ")
    assert data == b"version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ\n"
    assert topic_id_of(data) == "AAAAAAAAAAAAAAAAAAAAAQ"
    for wrong in (b"", b"version: 1\ntopic_id: x\n", b"version: 0\n", b"\xff"):
        with pytest.raises(MalformedBytes):
            topic_id_of(wrong)
