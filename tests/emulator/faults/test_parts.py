"""Parts of messages: `faults/parts.py`. The selected part and the rest make up the whole."""

import pytest
from fakekafka.errors import ErrorCode
from fakekafka.faults.parts import joined, part
from fakekafka.faults.subjects import TopicOrPartition, subjects
from fakekafka.handlers.refusal import refusal
from fakekafka.wire.apis.delete_topics import DeleteTopicsRequest
from fakekafka.wire.apis.produce import ProduceRequest, ProduceResponse
from hypothesis import given
from hypothesis import strategies as st

from tests.support.faults import produce, produced

places = st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), st.integers(0, 3)), max_size=8, unique=True)


def unknown(topic_id: bytes) -> str | None:
    return None


def named(request: ProduceRequest | None) -> set[TopicOrPartition]:
    return set() if request is None else set(subjects(request, unknown).places)


@given(places, places)
def test_a_request_is_split_into_the_selected_part_and_the_rest(
    asked: list[tuple[str, int]], meant: list[tuple[str, int]]
) -> None:
    request = produce(*asked)
    chosen = part(request, lambda topic, n: (topic, n) in meant, unknown)
    rest = part(request, lambda topic, n: (topic, n) not in meant, unknown)
    assert named(chosen) == {TopicOrPartition(*each) for each in asked if each in meant}
    assert named(rest) == {TopicOrPartition(*each) for each in asked if each not in meant}
    assert named(request) == {TopicOrPartition(*each) for each in asked}


@given(places, places)
def test_the_answers_of_two_parts_make_one(first: list[tuple[str, int]], second: list[tuple[str, int]]) -> None:
    second = [each for each in second if each not in first]
    one = refusal(produce(*first), 7, ErrorCode.NOT_LEADER_OR_FOLLOWER)
    other = refusal(produce(*second), 7, ErrorCode.NOT_ENOUGH_REPLICAS)
    assert isinstance(one, ProduceResponse)
    assert isinstance(other, ProduceResponse)
    both = joined(one, other)
    assert produced(both) == dict.fromkeys(first, 6) | dict.fromkeys(second, 19)
    assert len({topic.name for topic in both.responses}) == len(both.responses)


@pytest.mark.parametrize(("wanted", "left"), [("a", ["a"]), ("c", None)])
def test_lists_of_topic_names_are_split_too(wanted: str, left: list[str] | None) -> None:
    found = part(DeleteTopicsRequest(topic_names=["a", "b"]), lambda topic, n: topic == wanted, unknown)
    assert (None if found is None else found.topic_names) == left
