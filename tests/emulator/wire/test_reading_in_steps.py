"""Long messages read in steps: the same values, and the same failures, as at once."""

import struct
from collections.abc import Iterator
from typing import Any

import pytest
from fakekafka.errors import MalformedBytes
from fakekafka.pieces import finished
from fakekafka.wire.apis.describe_configs import DescribeConfigsRequest, DescribeConfigsResource
from fakekafka.wire.apis.list_offsets import ListOffsetsPartition, ListOffsetsRequest, ListOffsetsTopic
from fakekafka.wire.codec import encode_bytes, reader
from fakekafka.wire.message import Message, Request
from fakekafka.wire.reading_in_steps import Steps, reader_in_steps
from hypothesis import given
from hypothesis import strategies as st

from tests.emulator.wire.facts import classes, versions
from tests.emulator.wire.test_codec import DAMAGE, RELAXED
from tests.emulator.wire.values import filled, instances, restricted
from tests.support.smallest_steps import smallest_steps

REQUESTS = sorted(name for name, cls in classes().items() if issubclass(cls, Request))


@pytest.fixture
def shortest_steps() -> Iterator[None]:
    """Steps of one element or one piece, so that all ends of steps occur in small messages."""
    with smallest_steps():
        yield


@pytest.mark.usefixtures("shortest_steps")
@pytest.mark.parametrize("name", REQUESTS)
@RELAXED
@given(data=st.data())
def test_what_is_read_in_steps_is_what_is_read_at_once(name: str, data: st.DataObject) -> None:
    cls = classes()[name]
    drawn = data.draw(instances(cls))  # type: ignore[arg-type]
    for version in versions(cls):
        encoded = encode_bytes(restricted(drawn, version), version)
        assert in_steps(cls, version, encoded) == at_once(cls, version, encoded)


@pytest.mark.usefixtures("shortest_steps")
@pytest.mark.parametrize("name", REQUESTS)
@RELAXED
@given(data=st.data())
def test_damaged_bytes_are_read_alike_or_fail_both_times(name: str, data: st.DataObject) -> None:
    cls = classes()[name]
    version = data.draw(st.sampled_from(versions(cls)))
    damaged = bytearray(encode_bytes(filled(cls), version))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(damaged)))
        damaged[at : at + data.draw(st.integers(0, 4))] = data.draw(st.sampled_from(DAMAGE) | st.binary(max_size=5))
    assert in_steps(cls, version, bytes(damaged)) == at_once(cls, version, bytes(damaged))


@pytest.mark.parametrize("shape", [(1, 30_000), (300, 100), (30_000, 1)])
def test_a_long_request_is_read_in_many_short_steps(shape: tuple[int, int]) -> None:
    partitions = [ListOffsetsPartition(partition_index=n, timestamp=-1) for n in range(shape[1])]
    request = ListOffsetsRequest(
        topics=[ListOffsetsTopic(name=f"t{n}", partitions=partitions) for n in range(shape[0])]
    )
    encoded = encode_bytes(request, 5)
    read = reader_in_steps(ListOffsetsRequest, 5)
    assert sum(1 for _ in read(encoded, 0, Steps())) >= 29


@pytest.mark.parametrize("null", [b"\xff\xff\xff\xff", b"\x80\x00\x00\x00"])
def test_arrays_that_are_null_make_no_step_longer(null: bytes) -> None:
    resources = [DescribeConfigsResource(resource_name="t", configuration_keys=None) for _ in range(30_000)]
    encoded = encode_bytes(DescribeConfigsRequest(resources=resources), 1).replace(b"\xff\xff\xff\xff", null)
    read = reader_in_steps(DescribeConfigsRequest, 1)
    assert sum(1 for _ in read(encoded, 0, Steps())) >= 29


def in_steps(cls: type[Message], version: int, buffer: bytes) -> Any:
    read = reader_in_steps(cls, version)  # type: ignore[arg-type]  # mypy: is a class hashable?
    try:
        return finished(read(buffer, 0, Steps()))
    except (MalformedBytes, IndexError, struct.error):
        return MalformedBytes


def at_once(cls: type[Message], version: int, buffer: bytes) -> Any:
    try:
        return reader(cls, version)(buffer, 0)  # type: ignore[arg-type]
    except (MalformedBytes, IndexError, struct.error):
        return MalformedBytes
