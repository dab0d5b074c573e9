"""Records of consumer groups as bytes."""

from collections.abc import Iterable

from fakekafka.coordinators.groups.consumer.group import ConsumerGroup
from fakekafka.coordinators.groups.consumer.member import Member
from fakekafka.coordinators.groups.consumer.records import (
    KINDS,
    CoordinatorRecord,
    current_record,
    encoded,
    epoch_record,
    group_of,
    group_records,
    group_tombstones,
    member_record,
    member_tombstones,
    target_record,
)


def kinds(records: Iterable[CoordinatorRecord]) -> list[int]:
    return [int.from_bytes(encoded(record)[0][:2], "big") for record in records]


def test_keys_begin_with_the_kind_of_the_record() -> None:
    member = Member("m")
    records = [epoch_record("g", 1, 0), member_record("g", member), target_record("g", "m", {})]
    assert kinds([*records, current_record("g", member, with_epochs=False)]) == [3, 5, 7, 8]
    assert {group_of(record) for record in records} == {"g"}


def test_epochs_of_partitions_are_written_where_the_release_has_them() -> None:
    member = Member("m", epoch=2, assigned={b"t" * 16: {0: 1}})
    plain, dated = (encoded(current_record("g", member, with_epochs=with_epochs))[1] for with_epochs in (False, True))
    assert plain is not None
    assert dated is not None
    assert len(dated) > len(plain)


def test_a_member_goes_in_the_order_of_its_making_backwards() -> None:
    assert kinds(member_tombstones("g", "m")) == [8, 7, 5]


def test_a_group_goes_as_a_whole_with_its_topics() -> None:
    """Recorded from 3.8.1 to 4.3.1: the record of the topics is cleared even where none was written."""
    group = ConsumerGroup("g", 0)
    group.put(Member("m"))
    group.target["m"] = {}
    written = [encoded(record) for record in group_tombstones(group, {})]
    assert [int.from_bytes(key[:2], "big") for key, _ in written] == [8, 7, 6, 5, 4, 3]
    assert {value for _, value in written} == {None}
    assert set(kinds(group_records(group, with_epochs=True))) >= {3, 5, 6, 7, 8}


def test_null_is_written_where_brokers_write_it() -> None:
    """Recorded from 3.8.1 to 4.3.1: a member of the consumer protocol ends with a tagged field that is null."""
    _, value = encoded(member_record("g", Member("m")))
    assert value is not None
    assert value.endswith(b"\1\0\1\0")


def test_every_kind_of_record_has_a_shape_of_its_own() -> None:
    assert len({key for key, _ in KINDS.values()}) == len(KINDS) == 7
