"""File and directory names."""

import pytest
from fakekafka.log import names
from hypothesis import given
from hypothesis import strategies as st


@given(st.integers(0, 2**63 - 1), st.sampled_from([*names.SEGMENT_SUFFIXES, names.SNAPSHOT]))
def test_a_file_name_has_twenty_digits_and_says_its_offset(offset: int, suffix: str) -> None:
    name = names.of_offset(offset, suffix)
    assert name.partition(".")[0] == f"{offset:020}"
    assert names.offset_of(name) == offset
    assert names.offset_of(name + names.DELETED) == offset
    assert names.is_segment_file(name, suffix)
    assert not names.is_segment_file(name + names.DELETED, suffix)


@pytest.mark.parametrize("name", ["leader-epoch-checkpoint", "partition.metadata", ".lock", "", "12", "a1.log"])
def test_other_names_have_no_offset(name: str) -> None:
    assert names.offset_of(name) is None


@pytest.mark.parametrize("topic", ["orders", "a-b-1", "-dash-", "x.y"])
def test_the_partition_is_the_number_after_the_last_dash(topic: str) -> None:
    assert names.partition_of(names.partition_directory(topic, 12)) == (topic, 12)


@pytest.mark.parametrize("name", ["orders", "orders-", "-1", "orders-x", "orders-0.0123456789abcdef-delete"])
def test_marked_and_foreign_directories_are_not_partitions(name: str) -> None:
    assert names.partition_of(name) is None


def test_a_marked_directory_can_be_cut_to_what_file_systems_allow() -> None:
    unique = "0" * 32
    whole = names.marked_directory("t" * 249, 0, unique, names.DELETE_DIRECTORY, None)
    assert len(whole) == 249 + len("-0.") + 32 + len("-delete")
    cut = names.marked_directory("t" * 249, 0, unique, names.DELETE_DIRECTORY, names.LONGEST_NAME)
    assert len(cut) == 255
    assert cut.endswith(f"-0.{unique}-delete")
    short = names.marked_directory("orders", 3, unique, names.FUTURE_DIRECTORY, names.LONGEST_NAME)
    assert short == f"orders-3.{unique}-future"
