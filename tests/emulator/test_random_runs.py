"""Any story of producers, transactions, groups, time and crashes, against a small model (`model.Model`).

Checked after every step: what readers see, of committed records only and of all; what groups have committed; who is
in a group and has which share. Time passes in steps of ten seconds, so that nothing happens on the edge of a timeout.
"""

from typing import Final

from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.support import group_clients
from tests.support.committed_readers import ends, fetched
from tests.support.examples import at_most
from tests.support.group_clients import Member, simple
from tests.support.model import PARTITIONS, Model, ModelPartition
from tests.support.seeded import broker_of
from tests.support.transaction_clients import TransactionalProducer, pass_time, transactional

RELEASES: Final = ("0.11.0", "2.3", "2.8", "3.6", "3.9", "4.0", "4.3")
TRANSACTION_TIMEOUT_MS: Final = 60_000
STEP_MS: Final = 5_000
SESSION_MS: Final = 12_000
MOST_MEMBERS: Final = 3
IDS = st.sampled_from(["a", "b"])
PLACES = st.sampled_from(PARTITIONS)
OFFSETS = st.integers(0, 50)


class Producer(TransactionalProducer):
    """A producer of the newest kind, or of the kind before epochs rose with every transaction (KIP-890)."""

    def __init__(self, kafka: FakeKafka, transactional_id: str, rises: bool) -> None:
        super().__init__(kafka, transactional_id)
        self.rises = rises
        self.is_fenced = False
        self.places: set[int] = set()
        """The partitions that its transaction has written to."""

    def write(self, value: bytes, partition: int) -> ErrorCode:
        place = ("t", partition)
        if self.rises:
            return self.produce(value, place, version=12)
        (error,) = self.add(place)
        return error or self.produce(value, place)

    def write_offset(self, offset: int, partition: int) -> ErrorCode:
        place = ("t", partition)
        if self.rises:
            return self.commit_offset(offset, "o", place, version=5)
        return self.add_offsets("o") or self.commit_offset(offset, "o", place)

    def finish(self, commit: bool) -> ErrorCode:
        return self.end(commit, version=5 if self.rises else None)


class Story(RuleBasedStateMachine):
    """The group "o" has offsets from transactions and from clients that are not members; "g" has members."""

    def __init__(self) -> None:
        super().__init__()
        self.model = Model()
        self.producers: dict[str, Producer] = {}
        self.zombies: list[Producer] = []
        self.members: list[Member] = []
        self.shares: dict[Member, bytes] = {}
        self.values = 0
        self.now = 0

    @initialize(release=st.sampled_from(RELEASES), rises=st.booleans())
    def begin(self, release: str, rises: bool) -> None:
        self.kafka = transactional(release)
        group_clients.coordinator_is_there(self.kafka)
        self.rises = rises and broker_of(self.kafka).advertised[ApiKey.END_TXN][1] >= 5
        for transactional_id in ("a", "b"):
            self.a_producer_starts(transactional_id)
        self.a_member_joins()

    def teardown(self) -> None:
        assert not self.kafka.failures
        self.kafka.stop()

    def value(self) -> bytes:
        self.values += 1
        return b"%d" % self.values

    # ---- records and transactions

    @rule(partition=PLACES)
    def somebody_writes(self, partition: int) -> None:
        value = self.value()
        self.kafka.send("t", value, partition=partition)
        self.model.write(ModelPartition(None, partition), value)

    @rule(transactional_id=IDS)
    def a_producer_starts(self, transactional_id: str) -> None:
        producer = Producer(self.kafka, transactional_id, self.rises)
        producer.initialised(TRANSACTION_TIMEOUT_MS)
        self.model.end(transactional_id, commit=False)
        if transactional_id in self.producers:
            self.zombies.append(self.producers[transactional_id])
        self.producers[transactional_id] = producer

    @rule(transactional_id=IDS, partition=PLACES)
    def a_transaction_writes(self, transactional_id: str, partition: int) -> None:
        producer = self.producers[transactional_id]
        value = self.value()
        error = producer.write(value, partition)
        assert bool(error) == producer.is_fenced
        if not error:
            self.model.write(ModelPartition(None, partition), value, transactional_id, self.now)
            producer.places.add(partition)

    @rule(transactional_id=IDS, partition=PLACES, offset=OFFSETS)
    def a_transaction_commits_an_offset(self, transactional_id: str, partition: int, offset: int) -> None:
        producer = self.producers[transactional_id]
        error = producer.write_offset(offset, partition)
        assert bool(error) == producer.is_fenced
        if not error:
            self.model.write(ModelPartition("o", partition), offset, transactional_id, self.now)

    @rule(transactional_id=IDS, commit=st.booleans())
    def a_transaction_ends(self, transactional_id: str, commit: bool) -> None:
        producer = self.producers[transactional_id]
        error = producer.finish(commit)
        if producer.is_fenced:
            assert error or not commit
            producer.is_fenced = bool(error)  # with rising epochs it learns that its transaction was aborted
        elif transactional_id in self.model.open:
            assert error is ErrorCode.NONE
            self.model.end(transactional_id, commit)
        producer.places.clear()

    @precondition(lambda self: self.zombies)
    @rule(commit=st.booleans(), partition=PLACES, data=st.data())
    def one_that_was_replaced_does_not_know_it(self, commit: bool, partition: int, data: st.DataObject) -> None:
        zombie = data.draw(st.sampled_from(self.zombies))
        for place in zombie.places:
            assert zombie.produce(b"late", ("t", place))
        assert zombie.write(b"late", partition)
        assert zombie.write_offset(99, partition)
        assert zombie.finish(commit)

    # ---- groups

    @rule(offset=OFFSETS, partition=PLACES)
    def somebody_commits(self, offset: int, partition: int) -> None:
        client = simple(self.kafka, "o")
        offsets = [self.model.committed("o", p) for p in PARTITIONS[:partition]]
        if -1 not in offsets:
            assert set(client.commit(*offsets, offset)) == {ErrorCode.NONE}
            for p, at in enumerate([*offsets, offset]):
                self.model.write(ModelPartition("o", p), at)

    @precondition(lambda self: len(self.members) < MOST_MEMBERS)
    @rule()
    def a_member_joins(self) -> None:
        self.settle(Member(self.kafka, "g", session_ms=SESSION_MS))

    @precondition(lambda self: self.members)
    @rule(data=st.data())
    def a_member_leaves(self, data: st.DataObject) -> None:
        member = data.draw(st.sampled_from(self.members))
        self.members.remove(member)
        assert member.leave() is ErrorCode.NONE
        self.settle()

    @precondition(lambda self: self.members)
    @rule(data=st.data())
    def a_member_falls_silent(self, data: st.DataObject) -> None:
        silent = data.draw(st.sampled_from(self.members))
        self.members.remove(silent)
        heard = self.pass_time(4 * STEP_MS)
        if self.members:
            assert ErrorCode.REBALANCE_IN_PROGRESS in heard
        self.settle()
        assert silent.heartbeat() is ErrorCode.UNKNOWN_MEMBER_ID

    @precondition(lambda self: self.members)
    @rule(data=st.data(), offset=OFFSETS)
    def a_member_commits(self, data: st.DataObject, offset: int) -> None:
        member = data.draw(st.sampled_from(self.members))
        assert member.commit(offset, offset + 1) == [ErrorCode.NONE, ErrorCode.NONE]
        for partition in PARTITIONS:
            self.model.write(ModelPartition("g", partition), offset + partition)

    @precondition(lambda self: self.members)
    @rule()
    def a_stranger_may_not_commit(self) -> None:
        assert ErrorCode.NONE not in simple(self.kafka, "g").commit(99)

    def settle(self, *newcomers: Member) -> None:
        """Have everybody join again and get a share."""
        self.members += newcomers
        waiting = [*newcomers, *(member for member in self.members if member not in newcomers)]
        answers = {member: member.join() for member in waiting}
        joined = {member: answer or member.joined() for member, answer in answers.items()}
        assert len({answer and (answer.error_code, answer.generation_id) for answer in joined.values()}) <= 1
        leaders = [member for member, answer in joined.items() if answer is not None and answer.leader == member.id]
        assert len(leaders) == bool(waiting)
        self.shares = {member: b"%d of %d" % (n, len(waiting)) for n, member in enumerate(waiting)}
        for member in sorted(waiting, key=lambda member: member in leaders):
            member.sync(self.shares if member in leaders else None)
        for member in waiting:
            member.synced()

    # ---- time and misfortune

    @rule(steps=st.sampled_from([2, 14]))
    def time_passes(self, steps: int) -> None:
        heard = self.pass_time(steps * STEP_MS)
        assert heard <= {ErrorCode.NONE}

    def pass_time(self, ms: int) -> set[ErrorCode]:
        """Let time pass; return the errors of heartbeats. Transactions that have been open for too long are aborted."""
        heard = set()
        for _ in range(ms // STEP_MS):
            pass_time(self.kafka, STEP_MS)
            heard |= {member.heartbeat() for member in self.members}
        self.now += ms
        for transactional_id, began in list(self.model.open.items()):
            if self.now - began > TRANSACTION_TIMEOUT_MS:
                self.model.end(transactional_id, commit=False)
                self.producers[transactional_id].is_fenced = True
        return heard

    @rule(crash=st.booleans())
    def the_broker_restarts(self, crash: bool) -> None:
        self.kafka.restart(crash=crash)
        for member in self.members:
            member.reconnect()

    # ---- invariants

    @invariant()
    def readers_see_what_they_may(self) -> None:
        for partition in PARTITIONS:
            place = ("t", partition)
            assert fetched(self.kafka, place) == self.model.visible(partition)
            assert fetched(self.kafka, place, committed=False) == self.model.written(partition)
            at_end = ends(self.kafka, place) == ends(self.kafka, place, committed=False)
            assert at_end == self.model.is_stable(partition)

    @invariant()
    def groups_have_what_they_committed(self) -> None:
        for group in ("o", "g"):
            expected = [self.model.committed(group, partition) for partition in PARTITIONS]
            assert simple(self.kafka, group).fetch(*PARTITIONS) == expected

    @invariant()
    def everybody_has_a_share(self) -> None:
        for member in self.members:
            assert member.heartbeat() is ErrorCode.NONE
            synced = member.sync()
            assert synced is not None
            assert synced.assignment == self.shares[member]


Story.TestCase.settings = at_most(15, stateful_step_count=40)
TestStories = Story.TestCase
