import contextlib
import doctest
import struct
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from fakekafka import wire
from fakekafka.errors import MalformedBytes, UsageError
from fakekafka.wire.apis.fetch import FetchRequest, FetchResponse
from fakekafka.wire.apis.heartbeat import HeartbeatRequest
from fakekafka.wire.apis.produce import PartitionProduceData, ProduceRequest, TopicProduceData
from fakekafka.wire.codec import decode, encode, encode_bytes
from fakekafka.wire.message import Message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.emulator.wire import reference
from tests.emulator.wire.facts import classes, versions
from tests.emulator.wire.values import EXAMPLES, filled, instances, restricted

ALL = sorted(classes())
RELAXED = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)


@pytest.mark.parametrize("name", ALL)
@RELAXED
@given(data=st.data())
def test_random_values_survive_in_every_version(name: str, data: st.DataObject) -> None:
    cls = classes()[name]
    drawn = data.draw(instances(cls))  # type: ignore[arg-type]
    for version in versions(cls):
        message = restricted(drawn, version)
        encoded = encode_bytes(message, version)
        assert encoded == reference.encode(name, version, message)
        assert read_all(cls, version, encoded) == message
        assert encode_bytes(read_all(cls, version, encoded), version) == encoded


@pytest.mark.parametrize("name", ALL)
def test_every_field_survives_and_unknown_tags_are_skipped(name: str) -> None:
    cls = classes()[name]
    for version in versions(cls):
        message = restricted(filled(cls), version)
        assert read_all(cls, version, encode_bytes(message, version)) == message
        assert read_all(cls, version, reference.encode(name, version, message, unknown_tags=True)) == message


@pytest.mark.parametrize("name", ALL)
def test_a_message_that_ends_early_is_malformed(name: str) -> None:
    cls = classes()[name]
    for version in versions(cls):
        encoded = encode_bytes(filled(cls), version)
        for end in range(len(encoded)):
            with pytest.raises(MalformedBytes):
                decode(cls, version, encoded[:end])


@pytest.mark.parametrize("name", ALL)
@settings(RELAXED, max_examples=8 * EXAMPLES)
@given(data=st.data())
def test_damaged_bytes_are_read_or_malformed(name: str, data: st.DataObject) -> None:
    cls = classes()[name]
    version = data.draw(st.sampled_from(versions(cls)))
    damaged = bytearray(encode_bytes(filled(cls), version))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(damaged)))
        damaged[at : at + data.draw(st.integers(0, 4))] = data.draw(st.sampled_from(DAMAGE) | st.binary(max_size=5))
    try:
        _, end = decode(cls, version, damaged)
    except MalformedBytes:
        return
    assert end <= len(damaged)


HUGE = struct.pack(">i", 2**31 - 1), b"\x7f\xff", b"\xff\xff\xff\xff\x07", b"\xff\xff\xff\xff\x0f", b"\xff\xff\xff\x7f"
DAMAGE = [*HUGE, b"\xff\xff\xff\xff", b"\xff" * 11, b"\x80" * 5, b"\x00", b"\x01", b"\x02", b"\xff"]


@pytest.mark.parametrize("name", ALL)
def test_a_claimed_length_allocates_nothing(name: str) -> None:
    cls = classes()[name]
    version = cls.VERSIONS.high
    encoded = encode_bytes(filled(cls), version)
    decode(cls, version, encoded)
    damaged = [encoded[:at] + huge + encoded[at + len(huge) :] for at in range(len(encoded)) for huge in HUGE]
    tracemalloc.start()
    try:
        for buffer in damaged:
            try_to_read(cls, version, buffer)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 50_000 + 100 * len(encoded)


def try_to_read(cls: type[Message], version: int, buffer: bytes) -> None:
    with contextlib.suppress(MalformedBytes):
        decode(cls, version, buffer)


@pytest.mark.parametrize("buffer", [bytes, bytearray, memoryview])
def test_any_buffer_can_be_read_from_any_position(buffer: Any) -> None:
    encoded = encode_bytes(filled(FetchRequest), 12)
    found, end = decode(FetchRequest, 12, buffer(b"head" + encoded + b"tail"), 4)
    assert found == restricted(filled(FetchRequest), 12)
    assert end == 4 + len(encoded)


def test_records_are_views_of_the_frame() -> None:
    partition = PartitionProduceData(records=b"batch")
    frame = bytearray(encode_bytes(ProduceRequest(topic_data=[TopicProduceData(partition_data=[partition])]), 9))
    records = decode(ProduceRequest, 9, frame)[0].topic_data[0].partition_data[0].records
    assert isinstance(records, memoryview)
    frame[frame.index(b"batch")] = ord("B")
    assert bytes(records) == b"Batch"


def test_record_buffers_are_passed_on_as_they_are() -> None:
    first, second = b"first", memoryview(b"second")
    message = filled(FetchResponse)
    message.responses[0].partitions[0].records = [first, second]
    pieces = encode(message, 12)
    assert any(piece is first for piece in pieces)
    assert any(piece is second for piece in pieces)


def test_an_error_names_message_version_and_reason() -> None:
    with pytest.raises(MalformedBytes, match=r"HeartbeatRequest v0: unpack_from requires"):
        decode(HeartbeatRequest, 0, b"\0\0\0")


@pytest.mark.parametrize("version", [-1, 5])
def test_a_version_that_does_not_exist_is_a_wrong_call(version: int) -> None:
    with pytest.raises(UsageError, match=r"HeartbeatRequest has no version -?. *: use one of 0 to 4"):
        encode(HeartbeatRequest(), version)
    with pytest.raises(UsageError):
        decode(HeartbeatRequest, version, b"")


def read_all(cls: type[Message], version: int, encoded: bytes) -> Message:
    """The message, which must use up all bytes."""
    found, end = decode(cls, version, encoded)
    assert end == len(encoded)
    return found


def test_the_examples_of_the_readme_are_true() -> None:
    readme = Path(wire.__path__[0], "README.md")
    assert doctest.testfile(str(readme), module_relative=False) == (0, 9)
