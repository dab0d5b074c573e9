from contextlib import suppress

import pytest
from fakekafka.coordinators.groups.classic.group import Group, State
from fakekafka.coordinators.groups.classic.member import Member
from fakekafka.coordinators.groups.offsets.store import Committed
from fakekafka.coordinators.groups.records import (
    GroupKey,
    OffsetKey,
    OtherKey,
    group_key,
    group_value,
    offset_key,
    offset_value,
    read_group,
    read_key,
    read_offset,
)
from fakekafka.errors import MalformedBytes
from fakekafka.releases.coordinator_values import ValueVersions
from hypothesis import given
from hypothesis import strategies as st

TEXT = st.text(max_size=20)


@given(st.sampled_from([0, 1]), TEXT, TEXT, st.integers(-(2**31), 2**31 - 1))
def test_keys_of_offsets_are_read_as_they_were_written(kind: int, group: str, topic: str, partition: int) -> None:
    assert read_key(offset_key(kind, group, topic, partition)) == OffsetKey(group, topic, partition)


@given(TEXT)
def test_keys_of_groups_are_read_as_they_were_written(group: str) -> None:
    assert read_key(group_key(group)) == GroupKey(group)


def test_other_keys_give_their_type() -> None:
    assert read_key(bytes.fromhex("0003 0000")) == OtherKey(3)


@given(
    st.integers(0, 4),
    st.builds(
        Committed, st.integers(-(2**63), 2**63 - 1), st.integers(-1, 2**31 - 1), TEXT, st.integers(-1, 2**62), st.none()
    ),
)
def test_offsets_are_read_as_written_except_for_fields_that_the_version_lacks(
    version: int, committed: Committed
) -> None:
    expected = committed if version >= 3 else committed._replace(leader_epoch=-1)
    if version == 1:
        expected = expected._replace(expire_timestamp=-1)
    assert read_offset(offset_value(ValueVersions(version, 3), committed), 4) == expected


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_an_offset_with_its_own_expiry_has_version_1(version: int) -> None:
    data = offset_value(ValueVersions(version, 3), Committed(1, 5, "m", 2, 3))
    assert data.hex(" ", -2).startswith("0001")
    assert read_offset(data, 1) == Committed(1, -1, "m", 2, 3)


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        (0, "0000 0000000000000007 0001 6d 0000000000000002"),
        (2, "0002 0000000000000007 0001 6d 0000000000000002"),
        (3, "0003 0000000000000007 00000005 0001 6d 0000000000000002"),
        (4, "0004 0000000000000007 00000005 02 6d 0000000000000002 00"),
    ],
)
def test_an_offset_is_written_byte_by_byte(version: int, expected: str) -> None:
    assert offset_value(ValueVersions(version, 3), Committed(7, 5, "m", 2)) == bytes.fromhex(expected)


def test_the_topic_id_is_in_version_4() -> None:
    topic_id = bytes(range(16))
    data = offset_value(ValueVersions(4, 3), Committed(7, 5, "m", 2), topic_id)
    assert data.endswith(bytes.fromhex("01 00 10") + topic_id)


@pytest.mark.parametrize("version", [0, 1, 2, 3])
def test_groups_are_read_as_written_except_for_fields_that_the_version_lacks(version: int) -> None:
    group = Group("g", State.STABLE, 5)
    member = Member(
        "m",
        instance_id="i",
        client_id="c",
        client_host="/127.0.0.1",
        rebalance_timeout_ms=60_000,
        session_timeout_ms=10_000,
        protocols=(("range", b"sub"), ("other", b"")),
    )
    group.add(member, "consumer")
    group.generation, group.protocol_name = 3, "range"
    found_version, value = read_group(group_value(ValueVersions(3, version), group, {"m": b"share"}), 3)
    (found,) = value.members
    assert found_version == version
    assert (value.protocol_type, value.generation, value.protocol, value.leader) == ("consumer", 3, "range", "m")
    assert value.current_state_timestamp == (5 if version >= 2 else -1)
    assert (found.member_id, found.client_id, found.client_host) == ("m", "c", "/127.0.0.1")
    assert found.group_instance_id == ("i" if version >= 3 else None)
    assert (found.rebalance_timeout if version else 60_000, found.session_timeout) == (60_000, 10_000)
    assert (found.subscription, found.assignment) == (b"sub", b"share")


@given(st.binary(max_size=40))
def test_any_bytes_are_a_record_or_malformed(data: bytes) -> None:
    for read in (read_key, lambda x: read_offset(x, 3), lambda x: read_group(x, 3)):
        found: object = MalformedBytes
        with suppress(MalformedBytes):
            found = read(data)
        assert found is not None


@pytest.mark.parametrize("data", [b"", b"\0"])
def test_a_record_needs_a_version(data: bytes) -> None:
    with pytest.raises(MalformedBytes):
        read_key(data)


def test_records_of_newer_versions_are_not_read() -> None:
    with pytest.raises(MalformedBytes):
        read_offset(offset_value(ValueVersions(3, 3), Committed(1, 1, "", 1)), 2)
    with pytest.raises(MalformedBytes):
        read_group(group_value(ValueVersions(3, 3), Group("g", State.EMPTY, 0), {}), 2)
