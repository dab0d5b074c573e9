"""The order of Produce answers."""

import pytest

from tests.support.producing import batch, errors, messages, produce, request
from tests.support.seeded import booted


@pytest.mark.parametrize(
    ("release", "order"),
    [
        ("2.7.2", [("v", 9), ("t", 9), ("t", 0), ("u", 0)]),
        ("2.8.2", [("v", 9), ("t", 0), ("t", 9), ("u", 0)]),
        ("3.6.2", [("t", 0), ("t", 9), ("u", 0), ("v", 9)]),
    ],
)
def test_partitions_without_errors_come_first_in_newer_releases(release: str, order: list[tuple[str, int]]) -> None:
    kafka = booted(release)
    kafka.create_topic("u")
    kafka.create_topic("v")
    sent = request({place: batch() for place in [("v", 9), ("t", 9), ("t", 0), ("u", 0)]})
    assert list(errors(produce(kafka, sent, 8))) == order


def test_the_last_of_two_sets_for_a_partition_counts() -> None:
    kafka = booted("2.8.2")
    sent = request({("t", 0): batch(3)})
    sent.topic_data += request({("t", 0): batch(1)}).topic_data
    assert errors(produce(kafka, sent, 8)) == {("t", 0): 0}
    assert len(kafka.records("t")) == 1


def test_the_last_of_two_sets_for_a_partition_counts_in_version_0() -> None:
    kafka = booted("0.8.2.2")
    sent = request({("t", 0): messages(3)})
    sent.topic_data += request({("t", 0): messages(1)}).topic_data
    assert errors(produce(kafka, sent, 0)) == {("t", 0): 0}
    assert len(kafka.records("t")) == 1
