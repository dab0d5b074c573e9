"""The answers of Produce."""

from tests.support.producing import batch, errors, messages, produce, request
from tests.support.seeded import booted


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
