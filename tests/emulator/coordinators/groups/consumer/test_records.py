"""Records of consumer groups as bytes."""

from collections.abc import Iterable

from fakekafka.coordinators.groups.consumer.group import (
    ClassicMember,
    ConsumerGroup,
    Member,
    MemberState,
    ResolvedRegex,
)
from fakekafka.coordinators.groups.consumer.records import (
    TYPES,
    assignment_epoch_record,
    current_record,
    epoch_record,
    group_records,
    group_tombstones,
    member_record,
    member_tombstones,
    metadata_record,
    regex_record,
    target_record,
)
from fakekafka.coordinators.groups.subscriptions import TopicMetadata
from fakekafka.coordinators.groups.typed_records import TypedRecord, group_of
from hypothesis import given
from hypothesis import strategies as st

from tests.support.group_clients import coordinator_of, grouped

REPLAY = coordinator_of(grouped("4.1")).consumer_groups.replay


def kinds(records: Iterable[TypedRecord]) -> list[int]:
    return [int.from_bytes(TYPES.encoded(record)[0][:2], "big") for record in records]


def test_keys_begin_with_the_kind_of_the_record() -> None:
    member = Member("m")
    records = [epoch_record("g", 1, 0), member_record("g", member), target_record("g", "m", {})]
    assert kinds([*records, current_record("g", member, with_epochs=False)]) == [3, 5, 7, 8]
    assert {group_of(record) for record in records} == {"g"}


def test_epochs_of_partitions_are_written_where_the_release_has_them() -> None:
    member = Member("m", epoch=2, assigned={b"t" * 16: {0: 1}})
    plain, dated = (
        TYPES.encoded(current_record("g", member, with_epochs=with_epochs))[1] for with_epochs in (False, True)
    )
    assert plain is not None
    assert dated is not None
    assert len(dated) > len(plain)


def test_the_records_of_a_member_are_deleted_in_reverse_order() -> None:
    assert kinds(member_tombstones("g", "m")) == [8, 7, 5]


def test_the_records_of_a_group_and_of_its_topics_are_deleted_together() -> None:
    """Recorded from 3.8.1 to 4.3.1: the record of the topics is cleared even where none was written."""
    group = ConsumerGroup("g", 0)
    group.put(Member("m"))
    group.target["m"] = {}
    written = [TYPES.encoded(record) for record in group_tombstones(group, {})]
    assert [int.from_bytes(key[:2], "big") for key, _ in written] == [8, 7, 6, 5, 4, 3]
    assert {value for _, value in written} == {None}
    assert set(kinds(group_records(group, with_epochs=True))) >= {3, 5, 6, 7, 8}


def test_null_is_written_where_brokers_write_it() -> None:
    """Recorded from 3.8.1 to 4.3.1: a member of the consumer protocol ends with a tagged field that is null."""
    _, value = TYPES.encoded(member_record("g", Member("m")))
    assert value is not None
    assert value.endswith(b"\1\0\1\0")


def test_every_kind_of_record_has_its_own_shape() -> None:
    assert sum(number in TYPES for number in range(100)) == 7


uuids = st.binary(min_size=16, max_size=16)
epochs = st.integers(-2, 100)
texts = st.text(max_size=4)
owned = st.dictionaries(uuids, st.dictionaries(st.integers(0, 40), epochs, min_size=1), max_size=3)
members = st.builds(
    Member,
    id=texts,
    instance_id=st.none() | texts,
    rack=st.none() | texts,
    client_id=texts,
    client_host=texts,
    rebalance_timeout_ms=epochs,
    topics=st.frozensets(texts, max_size=3),
    regex=texts,
    assignor=st.none() | texts,
    classic=st.none() | st.builds(ClassicMember, epochs, st.tuples(st.tuples(texts, st.binary(max_size=3)))),
    epoch=epochs,
    early=st.none(),
    previous_epoch=epochs,
    state=st.sampled_from(MemberState),
    assigned=owned,
    revoking=owned,
)


def replayed(*records: TypedRecord) -> ConsumerGroup:
    """The group "g" that these records make, encoded and decoded."""
    groups: dict[str, ConsumerGroup] = {}
    for record in records:
        key, value = TYPES.encoded(record)
        REPLAY(groups, TYPES.decoded(int.from_bytes(key[:2], "big"), key, value))
    return groups["g"]


@given(members)
def test_a_member_is_read_as_it_was_written(member: Member) -> None:
    group = replayed(member_record("g", member), current_record("g", member, with_epochs=True))
    assert group.members == {member.id: member}


@given(members)
def test_partitions_without_epochs_have_that_of_the_member(member: Member) -> None:
    group = replayed(member_record("g", member), current_record("g", member, with_epochs=False))
    read = group.members[member.id]
    assert read.assigned == {t: dict.fromkeys(p, member.epoch) for t, p in member.assigned.items()}


def test_records_of_the_group_itself_are_read_as_they_were_written() -> None:
    topic = TopicMetadata(b"t" * 16, "t", 3, ((0, frozenset({"a", "b"})),))
    resolved = ResolvedRegex(frozenset({"t", "u"}), 7, 1_600_000_000_000)
    group = replayed(
        epoch_record("g", 3, -5),
        metadata_record("g", {"t": topic}),
        target_record("g", "m", {b"t" * 16: frozenset({0, 2})}),
        assignment_epoch_record("g", 2, 1_600_000_000_000),
        regex_record("g", "t.*", resolved),
    )
    assert (group.epoch, group.metadata_hash, group.metadata) == (3, -5, {"t": topic})
    assert (group.assignment_epoch, group.assignment_timestamp) == (2, 1_600_000_000_000)
    assert (group.target, group.regexes) == ({"m": {b"t" * 16: frozenset({0, 2})}}, {"t.*": resolved})


def test_tombstones_remove_members_and_groups() -> None:
    records = [epoch_record("g", 1, 0), member_record("g", Member("m", "i")), target_record("g", "m", {})]
    group = replayed(*records, *member_tombstones("g", "m"))
    assert (group.members, group.static_ids, group.target) == ({}, {}, {})
    groups = {"g": replayed(*records)}
    for record in group_tombstones(groups["g"], {}):
        REPLAY(groups, record)
    assert groups == {}
