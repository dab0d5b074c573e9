"""Records of consumer groups, written and read again."""

from fakekafka.coordinators.groups.consumer.group import ConsumerGroup, ResolvedRegex, TopicMetadata
from fakekafka.coordinators.groups.consumer.member import ClassicMember, Member, MemberState
from fakekafka.coordinators.groups.consumer.records import (
    CoordinatorRecord,
    assignment_epoch_record,
    current_record,
    decoded,
    encoded,
    epoch_record,
    group_tombstones,
    member_record,
    member_tombstones,
    metadata_record,
    regex_record,
    target_record,
)
from fakekafka.coordinators.groups.consumer.replay import replay
from hypothesis import given
from hypothesis import strategies as st

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
    previous_epoch=epochs,
    state=st.sampled_from(MemberState),
    assigned=owned,
    revoking=owned,
)


def replayed(*records: CoordinatorRecord) -> ConsumerGroup:
    """The group "g" that these records make, by way of their bytes."""
    groups: dict[str, ConsumerGroup] = {}
    for record in records:
        key, value = encoded(record)
        replay(groups, 0, decoded(int.from_bytes(key[:2], "big"), key, value))
    return groups["g"]


@given(members)
def test_a_member_is_read_as_it_was_written(member: Member) -> None:
    group = replayed(member_record("g", member), current_record("g", member, with_epochs=True))
    assert group.members == {member.id: member}


@given(members)
def test_without_epochs_partitions_have_that_of_the_member(member: Member) -> None:
    group = replayed(member_record("g", member), current_record("g", member, with_epochs=False))
    read = group.members[member.id]
    assert read.assigned == {t: dict.fromkeys(p, member.epoch) for t, p in member.assigned.items()}


def test_the_group_itself_is_read_as_it_was_written() -> None:
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


def test_tombstones_take_members_and_groups_away() -> None:
    records = [epoch_record("g", 1, 0), member_record("g", Member("m", "i")), target_record("g", "m", {})]
    group = replayed(*records, *member_tombstones("g", "m"))
    assert (group.members, group.static_ids, group.target) == ({}, {}, {})
    groups = {"g": replayed(*records)}
    for record in group_tombstones(groups["g"], {}):
        replay(groups, 0, record)
    assert groups == {}
