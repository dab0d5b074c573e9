"""A classic group: its members, its leader, its protocol, its generation (GroupMetadata, ClassicGroup).

The states, and which may follow which (GroupMetadata, ClassicGroupState):

    EMPTY ──first member──▶ PREPARING_REBALANCE ──all joined, or time up──▶ COMPLETING_REBALANCE
                              ▲        │ none left                           │ leader's SyncGroup
                              │        ▼                                     ▼
                              │      EMPTY ◀── (0.9, 0.10.0: DEAD)         STABLE
                              └───────────── a member joins, leaves or fails ─┘

DEAD is the end: the group is forgotten. Up to 0.10.0 there is no EMPTY: a group without members is dead at once, and a
new one begins as STABLE.

What happens, and when, is decided in `rebalance`, `joining` and `membership`, not here. Invariants: the leader, if
there is one, is a member; every instance id in `static_ids` belongs to a member; no member has a pending id.
"""

from collections import Counter
from enum import Enum
from typing import Final

from fakekafka.coordinators.groups.classic.member import Identity, JoinResult, Member, Protocols, SyncResult
from fakekafka.coordinators.groups.classic.votes import VoteOrder, in_vote_order
from fakekafka.errors import ErrorCode, MalformedBytes
from fakekafka.ids import DurationMs, GenerationId, TimestampMs
from fakekafka.waiting.timers import Timer
from fakekafka.wire.codec import decode
from fakekafka.wire.internal.consumer_protocol import ConsumerProtocolSubscription

CONSUMER: Final = "consumer"


class State(Enum):
    """Values are the names in DescribeGroups and ListGroups; COMPLETING_REBALANCE had another name up to 1.0."""

    EMPTY = "Empty"
    PREPARING_REBALANCE = "PreparingRebalance"
    COMPLETING_REBALANCE = "CompletingRebalance"
    STABLE = "Stable"
    DEAD = "Dead"


BEFORE: Final[dict[State, frozenset[State]]] = {
    State.EMPTY: frozenset({State.PREPARING_REBALANCE}),
    State.PREPARING_REBALANCE: frozenset({State.EMPTY, State.COMPLETING_REBALANCE, State.STABLE}),
    State.COMPLETING_REBALANCE: frozenset({State.PREPARING_REBALANCE}),
    State.STABLE: frozenset({State.COMPLETING_REBALANCE}),
    State.DEAD: frozenset(State),
}
"""The states from which each state can be reached."""


class Group:
    """One classic group."""

    def __init__(self, id: str, state: State, now: TimestampMs, vote_order: VoteOrder = "java") -> None:
        self.id = id
        self.vote_order = vote_order
        self.state = state
        self.state_since: TimestampMs | None = now
        """None if loaded from a record without it."""
        self.protocol_type: str | None = None
        self.protocol_name: str | None = None
        self.generation: GenerationId = 0
        self.leader: str | None = None
        self.members: dict[str, Member] = {}
        self.static_ids: dict[str, str] = {}
        """Member id by instance id."""
        self.pending_ids: dict[str, Timer] = {}
        """Ids given out with MEMBER_ID_REQUIRED whose clients have not joined with them yet (KIP-394)."""
        self.awaited_syncs: set[str] = set()
        """Members of this generation that have not sent SyncGroup yet."""
        self.subscribed_topics: frozenset[str] | None = None
        """Topics of a consumer group; None if they are not known."""
        self.new_member_added = False
        """Whether a member joined during the initial delay."""
        self.join_is_initial = False
        """Whether the group is waiting for the initial delay."""
        self.join_timer: Timer | None = None
        self.sync_timer: Timer | None = None

    # ---- state

    def become(self, state: State, now: TimestampMs) -> None:
        """Go to another state."""
        assert self.state in BEFORE[state], f"{self.id}: {self.state} -> {state}"
        self.state = state
        self.state_since = now

    def stop_timers(self) -> None:
        """Stop all timers of the group."""
        sessions = [m.session_timer for m in self.members.values()]
        for timer in (self.join_timer, self.sync_timer, *self.pending_ids.values(), *sessions):
            if timer is not None:
                timer.cancel()

    @property
    def can_rebalance(self) -> bool:
        return self.state in BEFORE[State.PREPARING_REBALANCE]

    def begin_generation(self, now: TimestampMs) -> None:
        """Begin the next generation after all members have joined. Raises `LookupError` if no protocol is common to
        all members.
        """
        self.generation += 1
        self.awaited_syncs.clear()
        self.protocol_name = self.select_protocol() if self.members else None
        self.subscribed_topics = self._topics()
        self.become(State.COMPLETING_REBALANCE if self.members else State.EMPTY, now)

    # ---- members

    def add(self, member: Member, protocol_type: str) -> None:
        """Add a member."""
        if not self.members:
            self.protocol_type = protocol_type
        if self.leader is None:
            self.leader = member.id
        self.members[member.id] = member
        if member.instance_id is not None:
            self.static_ids[member.instance_id] = member.id
        self.forget_pending(member.id)

    def remove(self, member_id: str) -> None:
        """Remove a member, or an id that was only given out."""
        member = self.members.pop(member_id, None)
        if member is not None:
            member.stop_session()
            if member.instance_id is not None:
                self.static_ids.pop(member.instance_id, None)
        if self.leader == member_id:
            self.leader = next(iter(self.members), None)
        self.awaited_syncs.discard(member_id)
        self.forget_pending(member_id)

    def replace(self, instance_id: str, new_id: str) -> Member:
        """A new process takes over `instance_id`: the static member gets another id, the old process is fenced."""
        old_id = self.static_ids[instance_id]
        member = self.members.pop(old_id)
        self.answer_join(member, JoinResult(ErrorCode.FENCED_INSTANCE_ID, old_id))
        self.answer_sync(member, SyncResult(ErrorCode.FENCED_INSTANCE_ID))
        member.id = new_id
        self.members[new_id] = member
        self.static_ids[instance_id] = new_id
        if self.leader == old_id:
            self.leader = new_id
        return member

    def forget_pending(self, member_id: str) -> bool:
        """Forget an id that was only given out. False if there was no such id."""
        timer = self.pending_ids.pop(member_id, None)
        if timer is not None:
            timer.cancel()
        return timer is not None

    def elect_joined_leader(self) -> bool:
        """Make sure that the leader is a member that has joined again. False if no member has."""
        if self.leader is None:
            return False
        if self.members[self.leader].join_reply is None:
            joined = next((m.id for m in self.members.values() if m.join_reply is not None), None)
            if joined is None:
                return False
            self.leader = joined
        return True

    @property
    def all_joined(self) -> bool:
        """Whether every member has joined again, and every id that was given out has been used."""
        return not self.pending_ids and all(m.join_reply is not None for m in self.members.values())

    @property
    def awaiting_join(self) -> int:
        """Members that have joined and are waiting."""
        return sum(m.join_reply is not None for m in self.members.values())

    @property
    def rebalance_timeout_ms(self) -> DurationMs:
        return max((m.rebalance_timeout_ms for m in self.members.values()), default=0)

    def is_fenced(self, identity: Identity) -> bool:
        """Whether another process has the member's instance id."""
        if identity.instance_id is None:
            return False
        return self.static_ids.get(identity.instance_id, identity.member_id) != identity.member_id

    @property
    def leader_without_room(self) -> Member | None:
        """The leader, if the answer to its JoinGroup cannot name the instance ids of its members."""
        leader = None if self.leader is None else self.members[self.leader]
        return leader if leader is not None and self.static_ids and not leader.has_room_for_instances else None

    # ---- protocols

    def select_protocol(self) -> str:
        """The protocol with the most votes among those that all members speak; of several, the first in the real
        coordinator's map. Raises `LookupError` if there is none.
        """
        candidates = self.candidates()
        votes = Counter(vote for m in self.members.values() if (vote := m.vote(candidates)) is not None)
        if votes.total() < len(self.members):
            raise LookupError("no protocol that all members speak")
        return max(in_vote_order(votes, self.vote_order), key=votes.__getitem__)

    def candidates(self) -> frozenset[str]:
        """The protocols that all members speak."""
        spoken = [m.names for m in self.members.values()]
        return spoken[0].intersection(*spoken[1:]) if spoken else frozenset()

    def speaks(self, protocol_type: str, protocols: Protocols) -> bool:
        """Whether a member that supports `protocols` may join the others. If there are none, because they left while a
        new group waited for more (KIP-134), any protocol will do (recorded from 2.3.1 to 4.3.1: group_delay_left).
        """
        if self.protocol_type != protocol_type:
            return False
        if not self.members:
            return bool(protocols)
        return not self.candidates().isdisjoint(name for name, _ in protocols)

    def subscribes_to(self, topic: str) -> bool:
        """Whether members consume `topic`; True if that is unknown."""
        return self.subscribed_topics is None or topic in self.subscribed_topics

    def _topics(self) -> frozenset[str] | None:
        """What all members together subscribe to, as given by version 0 of the subscription."""
        if self.protocol_type != CONSUMER:
            return None
        topics: set[str] = set()
        for member in self.members.values():
            try:
                subscription, _ = decode(ConsumerProtocolSubscription, 0, member.metadata(self.protocol_name or ""), 2)
            except MalformedBytes:
                return None
            topics.update(subscription.topics)
        return frozenset(topics)

    def load_topics(self) -> None:
        """Take the topics from the subscriptions of members that came from the log."""
        self.subscribed_topics = self._topics()

    # ---- answers

    def joined(self, member: Member, leader: str | None = None) -> JoinResult:
        """What a member is told about its generation; the leader gets the list of all members. `leader`: the leader to
        report, if not the real one.
        """
        leads = leader is None and member.id == self.leader
        everybody = tuple(self.members.values()) if leads else ()
        return JoinResult(
            ErrorCode.NONE,
            member.id,
            self.generation,
            self.protocol_type,
            self.protocol_name,
            (self.leader or "") if leader is None else leader,
            everybody,
            tuple(m.metadata(self.protocol_name or "") for m in everybody),
        )

    @staticmethod
    def answer_join(member: Member, result: JoinResult) -> None:
        """Answer a member's JoinGroup, if the member is waiting for the rebalance."""
        reply, member.join_reply = member.join_reply, None
        if reply is not None:
            reply.give(result)

    @staticmethod
    def answer_sync(member: Member, result: SyncResult) -> bool:
        """Answer a member's SyncGroup; False if the member was not waiting for the assignment."""
        reply, member.sync_reply = member.sync_reply, None
        if reply is not None:
            reply.give(result)
        return reply is not None
