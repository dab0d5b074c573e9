"""Plan, write, apply: a request whose records cannot be written leaves a group of any kind as it was."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any

import pytest
from fakekafka import FakeKafka
from fakekafka.coordinators.groups.administration import delete_groups
from fakekafka.coordinators.groups.classic.group import State
from fakekafka.errors import ErrorCode as E

from tests.support.consumer_group_clients import ConsumerMember, group_of, groups_of
from tests.support.group_clients import Member, clock_of, coordinator_of, grouped
from tests.support.seeded import partition_of
from tests.support.share_group_clients import ShareMember, shared
from tests.support.share_group_clients import group_of as share_group_of
from tests.support.streams_group_clients import StreamsMember, streaming
from tests.support.streams_group_clients import group_of as streams_group_of
from tests.support.streams_group_clients import groups_of as streams_groups_of


@contextmanager
def refused(kafka: FakeKafka) -> Iterator[None]:
    """Within this context `__consumer_offsets` has fewer replicas in sync than it needs."""
    partition = partition_of(kafka, topic="__consumer_offsets")
    end = partition.log.log_end_offset
    partition.min_in_sync = 2
    try:
        yield
    finally:
        partition.min_in_sync = 1
    assert partition.log.log_end_offset == end


def state(group: object) -> dict[str, Any]:
    """Everything that is known about a group except its deadlines."""
    return {name: copy(value) for name, value in vars(group).items() if name != "timers"}


def test_a_refused_heartbeat_leaves_a_consumer_group_as_it_was() -> None:
    member = ConsumerMember(grouped("4.1"), regex="t.*", topics=())
    member.join()
    group = group_of(member.kafka)
    before = state(group)
    clock_of(member.kafka).advance(11_000)
    with refused(member.kafka):
        assert member.beat(subscribed_topic_regex="u.*").error_code == E.COORDINATOR_NOT_AVAILABLE
    assert state(group) == before


def test_a_refused_join_makes_no_consumer_group() -> None:
    kafka = grouped("4.1")
    with refused(kafka):
        assert ConsumerMember(kafka).join().error_code == E.COORDINATOR_NOT_AVAILABLE
    assert groups_of(kafka).groups == {}
    assert not coordinator_of(kafka).knows("g")


def test_patterns_that_cannot_be_written_are_not_resolved() -> None:
    member = ConsumerMember(grouped("4.1"), regex="t.*", topics=())
    member.join()
    member.kafka.create_topic("tt", partitions=1)
    clock_of(member.kafka).advance(11_000)
    group = group_of(member.kafka)
    before = state(group)
    with refused(member.kafka):
        member.beat()
    assert state(group) == before


def test_a_member_whose_session_ends_stays_until_that_can_be_written_down() -> None:
    member = ConsumerMember(grouped("4.1"))
    member.join()
    with refused(member.kafka):
        clock_of(member.kafka).advance(46_000)
    assert list(group_of(member.kafka).members) == ["m"]
    assert not member.kafka.failures


def test_an_empty_consumer_group_keeps_its_name_if_its_end_cannot_be_written_down() -> None:
    kafka = grouped("4.1")
    member = ConsumerMember(kafka)
    member.join()
    member.leave()
    with refused(kafka):
        joined = Member(kafka, instance_id="i").join()
    assert joined is not None
    assert joined.error_code == E.COORDINATOR_NOT_AVAILABLE
    assert list(groups_of(kafka).groups) == ["g"]
    assert coordinator_of(kafka).classic_groups.groups == {}


def test_a_group_stays_classic_if_it_cannot_be_converted() -> None:
    kafka = grouped("4.1", group_initial_rebalance_delay_ms=0)
    old = Member(kafka, instance_id="i", protocols=(("range", b"\0\1\0\0\0\1\0\1t\xff\xff\xff\xff\0\0\0\0"),))
    old.join()
    with refused(kafka):
        assert ConsumerMember(kafka).join().error_code == E.COORDINATOR_NOT_AVAILABLE
    group = coordinator_of(kafka).classic_groups.groups["g"]
    assert (list(group.members), group.state) == ([old.id], State.COMPLETING_REBALANCE)
    assert groups_of(kafka).groups == {}


@pytest.mark.parametrize("release", ["4.1", "4.3"])
def test_a_new_classic_group_does_not_exist_if_it_cannot_be_written_down(release: str) -> None:
    kafka = grouped(release)
    with refused(kafka):
        joined = Member(kafka).start_joining()
    assert joined is not None
    assert joined.error_code == E.COORDINATOR_NOT_AVAILABLE
    assert not coordinator_of(kafka).knows("g")


def test_a_refused_heartbeat_leaves_a_share_group_as_it_was() -> None:
    member = ShareMember(shared("4.1"))
    member.join()
    group = share_group_of(member.kafka)
    before = state(group)
    with refused(member.kafka):
        assert ShareMember(member.kafka, "other").send(0, ["t"]).error_code == E.COORDINATOR_NOT_AVAILABLE
    assert state(group) == before


def test_a_share_member_whose_session_ends_stays_until_that_can_be_written_down() -> None:
    member = ShareMember(shared("4.1"))
    member.join()
    with refused(member.kafka):
        clock_of(member.kafka).advance(46_000)
    assert list(share_group_of(member.kafka).members) == [member.id]
    assert not member.kafka.failures


def test_a_refused_heartbeat_changes_only_what_no_record_of_a_streams_group_has() -> None:
    """Recorded at 4.3.1 (random_streams): what is in no record takes effect at once, even if the heartbeat fails."""
    member = StreamsMember(streaming())
    member.join()
    member.kafka.create_topic("more", partitions=1)
    group = streams_group_of(member.kafka)
    before = state(group)
    with refused(member.kafka):
        said = member.send(member.epoch, process_id="another", shutdown_application=True)
        assert said.error_code == E.COORDINATOR_NOT_AVAILABLE
    assert {name for name, value in state(group).items() if value != before[name]} == {"shutdown_by", "_refreshed"}


def test_a_refused_first_heartbeat_of_a_streams_group_begins_no_delay() -> None:
    kafka = streaming(group_streams_initial_rebalance_delay_ms=3000)
    with refused(kafka):
        assert StreamsMember(kafka).join().error_code == E.COORDINATOR_NOT_AVAILABLE
    assert (streams_groups_of(kafka).groups, streams_groups_of(kafka).delays) == ({}, {})


def test_an_empty_streams_group_keeps_its_name_if_its_end_cannot_be_written_down() -> None:
    member = StreamsMember(streaming())
    member.join()
    member.leave()
    with refused(member.kafka):
        joined = Member(member.kafka).start_joining()
    assert joined is not None
    assert joined.error_code == E.COORDINATOR_NOT_AVAILABLE
    assert list(streams_groups_of(member.kafka).groups) == ["g"]


def test_offsets_and_groups_whose_tombstones_cannot_be_written_stay() -> None:
    kafka = grouped("4.1")
    member = Member(kafka)
    member.commit(5)
    with refused(kafka):
        delete_groups(coordinator_of(kafka), ["g"])
    assert member.fetch(0) == [5]
    delete_groups(coordinator_of(kafka), ["g"])
    assert member.fetch(0) == [-1]
