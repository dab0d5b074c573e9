import pytest
from fakekafka.coordinators.groups.classic.group import BEFORE, Group, State
from fakekafka.coordinators.groups.classic.member import JoinResult, Member, Reply, SyncResult
from fakekafka.errors import ErrorCode
from fakekafka.waiting.timers import Timers
from fakekafka.waiting.waiters import Waiters
from hypothesis import given
from hypothesis import strategies as st

TO_T = bytes.fromhex("0000 00000001 0001 74 ffffffff")
"""A subscription, version 0, to the topic "t"."""


def member(id: str, *names: str, metadata: bytes = TO_T, instance_id: str | None = None) -> Member:
    return Member(
        id,
        instance_id=instance_id,
        client_id="c",
        client_host="/127.0.0.1",
        rebalance_timeout_ms=60_000,
        session_timeout_ms=10_000,
        protocols=tuple((name, metadata) for name in names),
    )


def group_of(*members: Member, protocol_type: str = "consumer") -> Group:
    group = Group("g", State.PREPARING_REBALANCE, 0)
    for one in members:
        group.add(one, protocol_type)
    return group


def test_the_protocol_that_most_members_prefer_is_chosen() -> None:
    liking = (("a", "b", "c"), ("b", "a"), ("c", "b", "a"), ("b", "a"))
    group = group_of(*(member(str(n), *names) for n, names in enumerate(liking)))
    assert group.candidates() == {"a", "b"}
    assert group.select_protocol() == "b"


def test_a_protocol_that_one_member_does_not_speak_is_not_chosen() -> None:
    assert group_of(member("1", "a", "b"), member("2", "a", "b"), member("3", "b")).select_protocol() == "b"


@given(st.lists(st.permutations("abc"), min_size=1, max_size=6))
def test_the_chosen_protocol_has_the_most_first_votes_when_everybody_speaks_all(liked: list[list[str]]) -> None:
    group = group_of(*(member(str(n), *names) for n, names in enumerate(liked)))
    first = [names[0] for names in liked]
    assert first.count(group.select_protocol()) == max(map(first.count, first))


def test_members_without_a_common_protocol_cannot_choose_one() -> None:
    group = group_of(member("1", "a"), member("2", "b"))
    with pytest.raises(LookupError):
        group.select_protocol()


def test_a_member_that_speaks_a_common_protocol_is_accepted() -> None:
    group = group_of(member("1", "a", "b"), member("2", "b", "c"))
    assert group.speaks("consumer", (("b", b""),))
    assert not group.speaks("consumer", (("a", b""), ("c", b"")))
    assert not group.speaks("connect", (("b", b""),))


def test_the_first_member_leads_and_the_next_one_when_it_leaves() -> None:
    group = group_of(member("1", "a"), member("2", "a"))
    assert group.leader == "1"
    group.remove("1")
    assert (group.leader, list(group.members)) == ("2", ["2"])
    group.remove("2")
    group.remove("nobody")
    assert group.leader is None


def test_a_leader_that_has_not_joined_again_is_replaced_by_a_member_that_has() -> None:
    late, here = member("1", "a"), member("2", "a")
    group = group_of(late, here)
    assert not group.elect_joined_leader()
    here.join_reply = Reply(Waiters())
    assert group.elect_joined_leader()
    assert group.leader == "2"
    assert not Group("g", State.EMPTY, 0).elect_joined_leader()


def test_a_generation_knows_what_its_members_subscribe_to() -> None:
    group = group_of(member("1", "a"))
    group.begin_generation(1)
    assert (group.generation, group.protocol_name, group.state) == (1, "a", State.COMPLETING_REBALANCE)
    assert group.subscribes_to("t")
    assert not group.subscribes_to("u")


@pytest.mark.parametrize(("protocol_type", "metadata"), [("connect", TO_T), ("consumer", b""), ("consumer", b"\0")])
def test_an_unreadable_subscription_may_be_to_any_topic(protocol_type: str, metadata: bytes) -> None:
    group = group_of(member("1", "a", metadata=metadata), protocol_type=protocol_type)
    group.begin_generation(1)
    assert group.subscribes_to("anything")


def test_a_generation_without_members_is_empty() -> None:
    group = group_of()
    group.begin_generation(1)
    assert (group.generation, group.protocol_name, group.state, group.rebalance_timeout_ms) == (1, None, State.EMPTY, 0)


def test_only_the_leader_gets_the_list_of_members() -> None:
    leader, other = member("1", "a"), member("2", "a")
    group = group_of(leader, other)
    group.begin_generation(1)
    assert group.joined(leader).members == (leader, other)
    assert group.joined(leader).metadata == (TO_T, TO_T)
    assert group.joined(other).members == ()
    assert group.joined(leader, leader="old").members == ()
    assert group.joined(leader, leader="old").leader == "old"


def test_a_static_member_that_is_replaced_is_fenced_and_keeps_the_lead() -> None:
    old = member("1", "a", instance_id="i")
    group = group_of(old)
    join_reply, sync_reply = Reply[JoinResult](Waiters()), Reply[SyncResult](Waiters())
    old.join_reply, old.sync_reply = join_reply, sync_reply
    assert group.replace("i", "2") is old
    assert (group.leader, list(group.members), group.static_ids) == ("2", ["2"], {"i": "2"})
    assert join_reply.value == JoinResult(ErrorCode.FENCED_INSTANCE_ID, "1")
    assert sync_reply.value == SyncResult(ErrorCode.FENCED_INSTANCE_ID)


def test_timers_stop_with_the_group() -> None:
    timers, ran = Timers(0), list[str]()
    group = group_of(member("1", "a"))
    group.members["1"].session_timer = timers.after(1, lambda: ran.append("session"))
    group.join_timer = timers.after(1, lambda: ran.append("join"))
    group.pending_ids["p"] = timers.after(1, lambda: ran.append("pending"))
    group.stop_timers()
    timers.run_due(10)
    assert ran == []


def test_all_members_have_joined_once_every_given_id_is_used() -> None:
    group = group_of()
    assert group.all_joined
    group.pending_ids["p"] = Timers(0).after(1, lambda: None)
    assert not group.all_joined
    assert group.forget_pending("p")
    assert not group.forget_pending("p")
    assert group.all_joined


def test_every_state_lists_the_states_before_it() -> None:
    assert set(BEFORE) == set(State)


@pytest.mark.parametrize("state", State)
def test_a_dead_group_stays_dead(state: State) -> None:
    assert (State.DEAD in BEFORE[state]) == (state is State.DEAD)


@pytest.mark.parametrize(("before", "after"), [(b, a) for a in State for b in State])
def test_a_group_makes_only_the_transitions_of_the_table(before: State, after: State) -> None:
    group = Group("g", before, 1)
    if before in BEFORE[after]:
        group.become(after, 2)
        assert (group.state, group.state_since) == (after, 2)
    else:
        with pytest.raises(AssertionError):
            group.become(after, 2)
