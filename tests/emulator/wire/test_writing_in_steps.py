"""Long answers written in steps: the same bytes as at once."""

from collections.abc import Iterator
from typing import Any

import pytest
from fakekafka.pieces import finished, joined
from fakekafka.wire.apis.metadata import MetadataResponse, MetadataResponsePartition, MetadataResponseTopic
from fakekafka.wire.frames import response_frame
from fakekafka.wire.message import Response
from fakekafka.wire.writing_in_steps import response_frame_in_steps
from hypothesis import given
from hypothesis import strategies as st

from tests.emulator.wire.facts import classes, versions
from tests.emulator.wire.test_codec import RELAXED
from tests.emulator.wire.values import instances, restricted
from tests.support.smallest_steps import smallest_steps

RESPONSES = sorted(name for name, cls in classes().items() if issubclass(cls, Response))


@pytest.fixture
def shortest_steps() -> Iterator[None]:
    """Steps of one element or one piece, so that all ends of steps occur in small messages."""
    with smallest_steps():
        yield


@pytest.mark.usefixtures("shortest_steps")
@pytest.mark.parametrize("name", RESPONSES)
@RELAXED
@given(data=st.data())
def test_what_is_written_in_steps_has_the_bytes_of_what_is_written_at_once(name: str, data: st.DataObject) -> None:
    cls = classes()[name]
    drawn = data.draw(instances(cls))  # type: ignore[arg-type]
    for version in versions(cls):
        response: Any = restricted(drawn, version)
        frame = finished(response_frame_in_steps(response, version, 7))
        assert joined(frame) == joined(response_frame(response, version, 7))


def test_elements_that_occur_again_are_written_again() -> None:
    topics = [MetadataResponseTopic(name="a"), MetadataResponseTopic(name="b")]
    response = MetadataResponse(topics=[topics[0]] * 3 + [topics[1]] + [topics[0]] * 2)
    assert joined(finished(response_frame_in_steps(response, 9, 7))) == joined(response_frame(response, 9, 7))


@pytest.mark.parametrize("shape", [(1, 30_000), (300, 100), (30_000, 1)])
def test_a_long_answer_is_written_in_many_short_steps(shape: tuple[int, int]) -> None:
    partitions = [MetadataResponsePartition(partition_index=n) for n in range(shape[1])]
    topics = [MetadataResponseTopic(name=f"t{n}", partitions=partitions) for n in range(shape[0])]
    assert sum(1 for _ in response_frame_in_steps(MetadataResponse(topics=topics), 9, 1)) > 29
