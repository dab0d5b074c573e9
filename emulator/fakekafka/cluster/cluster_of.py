"""A cluster: its brokers, its topics, its time. It is its own controller; there is no consensus.

What ZooKeeper or the KRaft quorum keeps in a real cluster is kept here, so it outlives a restart of the brokers. Every
broker sees a change at once, unless the cluster is lifelike: then `pace` says how long things take, and `news` what
brokers have not heard yet.

This file is longer than others, because what one record of a quorum changes together is changed in one place: leaders,
replicas and topics. What can be told apart from that has its own modules (`leadership`, `absent_replicas`, `news`).
"""

import base64
import random
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, Protocol, TypeAlias

from fakekafka.clock import Clock
from fakekafka.cluster.absent_replicas import AbsentReplicas
from fakekafka.cluster.known_topics import Tellings
from fakekafka.cluster.node import AnyNode, Node
from fakekafka.errors import UsageError
from fakekafka.ids import ZERO_UUID, BrokerId, LeaderEpoch, PartitionIndex, ProducerId, TopicName, Uuid
from fakekafka.records.plugged import PluggedCodecs
from fakekafka.state.append_targets import min_in_sync
from fakekafka.state.cluster_settings import ELIGIBLE_LEADERS, ClusterSettings
from fakekafka.state.drafts import NO_DRAFTS, Drafts
from fakekafka.state.security_config import ClusterSecurity
from fakekafka.state.topics import NO_LEADER, PartitionState, Topic, assign_replicas
from fakekafka.state.zookeeper_offsets import ZooKeeperOffsets
from fakekafka.waiting.timers import Timers
from fakekafka.waiting.waiters import Waiters
from fakekafka.wire.message import Request, Response

if TYPE_CHECKING:
    from fakekafka.cluster.news import News
    from fakekafka.pace.lifelike import Lifelike
    from fakekafka.security.quotas import TokenBucket, Usage

OWN_PARTITION_LIMIT: Final = 100_000


Exchange: TypeAlias = Callable[[AnyNode, Request, int, str], Response | None]
"""Sends a broker a request, in a version, under a client id. None: it closes the connection, or never answers.

The request goes to the broker's own handler, as one from a client would: what may be asked, and what happens with a
version that it does not have, is up to that broker. Nothing is serialized, nothing waits, and the journal does not show
the request.
"""


class CompressionPlugins(Protocol):
    """Knows the codecs that each broker has besides Kafka's."""

    def of_broker(self, node_id: BrokerId) -> PluggedCodecs:
        """The codecs of one broker."""


def nobody_answers(broker: Node, request: Request, version: int, client_id: str) -> None:
    """The exchange of a cluster whose brokers cannot reach each other."""
    return


class Halting(NamedTuple):
    """A broker whose disk has failed, and which halts at the end of the current step."""

    node_id: BrokerId
    sends_answers: bool
    """Whether the answers that it has given are sent."""
    error: OSError


class ClusterOf(Generic[AnyNode]):
    """Everything that the brokers of one cluster share.

    `exchange`: how brokers ask each other. `formed_with`: the configs for all brokers with which the cluster begins.
    """

    pace: "Lifelike | None" = None
    """How long things take, in milliseconds on the broker's clock; None: they happen at once. A lifelike cluster has a
    pace and news from the end of its first start until it stops."""
    news: "News[AnyNode] | None" = None
    """What brokers have not heard yet; None: each knows everything."""
    has_registrations = False
    """Whether a broker has registered since the cluster began, or since it was last emptied."""
    quorum_epoch: LeaderEpoch = 0
    """How often the quorum has elected a controller."""
    _failed_controller: Node | None = None
    emptied_names: frozenset[TopicName] = frozenset()
    """Names of deleted topics with ".", with "_" instead, as some controllers keep them (KAFKA-14337)."""

    def __init__(
        self,
        clock: Clock,
        exchange: Exchange[AnyNode] = nobody_answers,
        *,
        seed: int = 0,
        formed_with: Mapping[str, str] | None = None,
    ) -> None:
        self.clock = clock
        self.random = random.Random(seed)
        """Every random choice of a real broker (ids, jitter) comes from here, so that runs are repeatable."""
        self.id = base64.urlsafe_b64encode(self.random.randbytes(16)).decode().rstrip("=")
        self.timers = Timers(clock.elapsed_ms)
        self.waiters = Waiters()
        self.failures: list[BaseException] = []
        """Exceptions that escaped while requests were handled: each is a defect of this package."""
        self.brokers: dict[BrokerId, AnyNode] = {}
        """The running brokers."""
        self.known_brokers: dict[BrokerId, AnyNode] = {}
        """The brokers that have ever run and have not been unregistered since (KIP-500), as they last ran."""
        self.nodes: dict[BrokerId, AnyNode] = {}  # all that have ever run, as they last ran: the voters of a quorum
        self.exchange = exchange
        self.halting: list[Halting] = []  # the core of the server takes them from here when a step ends
        self.topics: dict[TopicName, Topic] = {}
        self.topics_by_id: dict[Uuid, Topic] = {}
        self.settings = ClusterSettings(formed_with or {})
        self.security = ClusterSecurity()
        self.mutations: Usage[TokenBucket] | None = None
        """In KRaft mode, what is left of each quota on creating and deleting partitions, since the start (KIP-599)."""
        self.is_migrating = False
        self.zookeeper_offsets = ZooKeeperOffsets()
        self.lookup_waits_for_topic = True
        """Whether a client that looks up a coordinator is answered only when the internal topic is there. Real brokers
        answer the request that makes them create it with 15, and clients ask again 100 to 500 ms later."""
        self.drafts: Drafts = NO_DRAFTS  # designs that Kafka never shipped
        self.plugins: CompressionPlugins | None = None  # those of KIP-984, if a draft asks for them
        self.partition_limit = OWN_PARTITION_LIMIT  # for one request, on releases without such a bound
        self.announced: set[BrokerId] = set()  # brokers whose last stop was a controlled shutdown that left no broker
        self.producer_ids_given = self.broker_epochs_given = 0
        self._controller_id: BrokerId | None = None

    @cached_property
    def absent_replicas(self) -> AbsentReplicas:
        """What is decided about replicas while their brokers do not run."""
        return AbsentReplicas()

    @cached_property
    def tellings(self) -> Tellings:
        """What the controller tells brokers about partitions."""
        return Tellings()

    @property
    def controller_id(self) -> BrokerId:
        """The broker that is the controller. When it stops, the one with the lowest id takes over."""
        if self._controller_id not in self.brokers:
            self._controller_id = min(self.brokers)
            self.quorum_epoch += 1
            self.tellings.begin()
        return self._controller_id

    def elect_again(self) -> None:
        """All nodes have been down: the quorum begins a new epoch, under the same controller if it is there."""
        if self._controller_id in self.brokers:
            self.quorum_epoch += 1

    @property
    def controller_has_failed(self) -> bool:
        """Whether the controller has failed, see `fail_controller`."""
        return self._failed_controller is not None and self.brokers[self.controller_id] is self._failed_controller

    def fail_controller(self) -> None:
        """Let the controller fail. It is not elected again while its node runs, and nothing else takes over."""
        self._failed_controller = self.brokers[self.controller_id]

    def make_controller(self, node_id: BrokerId) -> None:
        """Make another broker the controller. Raises `UsageError` if it does not run."""
        self.running(node_id)
        if node_id != self.controller_id:
            self._controller_id = node_id
            self.quorum_epoch += 1
            self.tellings.begin()

    @property
    def registered(self) -> dict[BrokerId, AnyNode]:
        """The running brokers that are registered with the controllers."""
        if self.brokers.keys() <= self.known_brokers.keys():
            return dict(self.brokers)
        return {node_id: broker for node_id, broker in self.brokers.items() if node_id in self.known_brokers}

    @property
    def shown_controller_id(self) -> BrokerId:
        """The broker that clients are told is the controller; -1 if there is none."""
        controller_id = self.controller_id
        return controller_id if controller_id in self.known_brokers else min(self.registered, default=-1)

    def running(self, node_id: BrokerId) -> AnyNode:
        """A broker that runs. Raises `UsageError` if it does not."""
        if node_id not in self.brokers:
            raise UsageError(f"broker {node_id} does not run; these do: {sorted(self.brokers)}")
        return self.brokers[node_id]

    def has_replica(self, node_id: BrokerId, topic: TopicName, index: PartitionIndex) -> bool:
        """Whether the broker runs and is registered, and has not, as far as the controller knows, lost the partition
        with a log directory.
        """
        broker = self.brokers.get(node_id)
        if broker is None or node_id not in self.known_brokers:
            return False
        told = broker.offline and broker.profile.log_directory.lost_directories_told
        return not told or (topic, index) not in broker.offline

    def leader_known_to(self, node_id: BrokerId, known: PartitionState) -> AnyNode | None:
        """The leader that a broker knows for a partition; None if there is none, or it seems to be down. `known`: the
        partition as the broker knows it.
        """
        found = self.brokers.get(known.leader)
        return self.news.brokers(node_id).get(known.leader) if found is None and self.news is not None else found

    def offline_replicas(self, node_id: BrokerId, topic: TopicName, state: PartitionState) -> list[BrokerId]:
        """The replicas of a partition that broker `node_id` believes to be offline."""
        gone = [node for node in state.replicas if not self.has_replica(node, topic, state.index)]
        if not gone or self.news is None:
            return gone
        known = self.news.brokers(node_id)
        return [node for node in gone if node in self.brokers or node not in known]

    # ---- brokers that die

    def halt(self, node_id: BrokerId, error: OSError, *, sends_answers: bool) -> None:
        """Have a broker halt because of `error` at the end of the current step."""
        self.halting.append(Halting(node_id, sends_answers, error))

    # ---- topics

    def new_topic(
        self,
        name: TopicName,
        replicas: Mapping[PartitionIndex, list[BrokerId]],
        overrides: dict[str, str],
        with_id: bool,
        *,
        at_once: bool = True,
    ) -> Topic:
        """Create a topic whose partition n lives on the brokers `replicas[n]`. `at_once`: in any pace; otherwise its
        partitions have leaders as soon as they would in a real cluster.
        """
        topic = Topic(name, self.random.randbytes(16) if with_id else ZERO_UUID, overrides)
        self.topics[name] = topic
        if with_id:
            self.topics_by_id[topic.id] = topic
        if at_once or self.pace is None:
            self.add_partitions(topic, replicas)
        else:
            from fakekafka.pace.events import event_of  # most clusters are instant

            states = topic.add_without_leaders(replicas, *self.tellings.tell(len(replicas)))
            rules = self.brokers[self.controller_id].profile
            self.pace.make(topic, event_of(name), rules, lambda: self._lead_made(topic, states))
        return topic

    def add_partitions(self, topic: Topic, replicas: Mapping[PartitionIndex, list[BrokerId]]) -> None:
        """Add partitions, each living on the brokers `replicas[index]`; led by the first of them that runs."""
        self.lead_first(topic, topic.add_without_leaders(replicas, *self.tellings.tell(len(replicas))))

    def is_being_made(self, topic: Topic) -> bool:
        """Whether a new topic of a lifelike cluster will have leaders in a moment."""
        return self.pace is not None and topic in self.pace.being_made

    def _lead_made(self, topic: Topic, states: Sequence[PartitionState]) -> None:
        """A topic has been made, unless it was deleted meanwhile."""
        if self.topics.get(topic.name) is not topic:
            return
        if self.news is None or not self.brokers:
            self.lead_first(topic, states)
        else:
            self._choose_first(states)
            self.news.created(topic, states)
        self.waiters.wake(topic)

    def _choose_first(self, states: Sequence[PartitionState]) -> None:
        """Choose the first leaders of new partitions: if no broker runs, from those that may return. The brokers have
        yet to learn of it.
        """
        there = self.registered if self.brokers else self.known_brokers
        for state in states:
            state.isr = state.isr_of_epoch = list(filter(there.__contains__, state.replicas))
            state.leader = state.isr[0] if state.isr else NO_LEADER

    def lead_first(self, topic: Topic, states: Sequence[PartitionState]) -> None:
        """New partitions get their first leaders."""
        self._choose_first(states)
        alone: dict[BrokerId, list[PartitionState]] = {}
        for state in states:
            nodes = state.replicas
            if len(nodes) == 1:
                alone.setdefault(nodes[0], []).append(state)
            else:
                self._lead(topic, state)
        for node_id, led in alone.items():
            if node_id in self.brokers:
                self.brokers[node_id].become_alone(topic, led)

    def hurry(self) -> None:
        """The cluster stops: finish what takes time, and tell brokers everything. From now on nothing takes time."""
        if self.pace is not None:
            pace, news, self.pace, self.news = self.pace, self.news, None, None
            pace.finish()
            if news is not None:
                news.finish()

    def topics_known_to(self, node_id: BrokerId) -> Mapping[TopicName, Topic]:
        """The topics that broker `node_id` knows, by name: all, unless the cluster is lifelike."""
        return self.topics if self.news is None else self.news.topics(node_id)

    def topic_ids_known_to(self, node_id: BrokerId) -> Mapping[Uuid, Topic]:
        """The topics that broker `node_id` knows, by id."""
        return self.topics_by_id if self.news is None else self.news.topic_ids(node_id)

    def brokers_known_to(self, node_id: BrokerId) -> Mapping[BrokerId, AnyNode]:
        """The brokers that broker `node_id` believes to be running: in a lifelike cluster also those whose death nobody
        has noticed, and none before the broker has heard of any.
        """
        return self.registered if self.news is None else self.news.brokers(node_id)

    def as_known_to(self, node_id: BrokerId, state: PartitionState) -> PartitionState:
        """A partition as broker `node_id` knows it: `state` itself, or a copy of an earlier one. Not to be changed."""
        return state if self.news is None else self.news.partition(node_id, state)

    def give_ids(self) -> None:
        """Give ids to topics from before KIP-516, as a controller does when it first knows about ids."""
        for topic in self.topics.values():
            if topic.id == ZERO_UUID:
                topic.id = topic.withheld_id if topic.withheld_id != ZERO_UUID else self.random.randbytes(16)
                self.topics_by_id[topic.id] = topic

    def topic_with_id(self, id: Uuid) -> Topic | None:
        """The topic that has this id in ZooKeeper or in the quorum, whether brokers know its id or not."""
        known = self.topics_by_id.get(id)
        return known or next((topic for topic in self.topics.values() if topic.withheld_id == id), None)

    def withhold_ids(self) -> None:
        """Keep the topics' ids from the brokers, as a controller does that does not know about ids (any more): a later
        one that does finds them in ZooKeeper (KAFKA-12835).
        """
        for topic in self.topics.values():
            if topic.id != ZERO_UUID:
                topic.withheld_id, topic.id = topic.id, ZERO_UUID
        self.topics_by_id.clear()

    def remove_topics(self, topics: Iterable[Topic]) -> None:
        """Forget topics, which costs less together than one by one."""
        with ExitStack() as stack:
            for broker in self.brokers.values():
                stack.enter_context(broker.logs.checkpoints.removing_together())
            for topic in topics:
                self.remove_topic(topic)

    def remove_topic(self, topic: Topic) -> None:
        """Forget a topic; every broker drops its partitions."""
        self.tellings.tell()
        del self.topics[topic.name]
        self.topics_by_id.pop(topic.id, None)
        if "." in topic.name and any(each.profile.topics.deleted_names_collide for each in self.brokers.values()):
            self.emptied_names |= {topic.name.replace(".", "_")}
        absent = self._drop_from_absent(topic)
        if any(not broker.profile.has_quorum for broker in self.brokers.values()):
            self.absent_replicas.await_all(topic.name, absent)
        for broker in self.brokers.values():
            broker.drop_topic(topic)

    def drop_replica(self, topic: Topic, index: PartitionIndex, node_id: BrokerId) -> None:
        """Take a partition from a broker. One that does not run learns of it when it starts; but under ZooKeeper it is
        told only what it has, and keeps the files (ReplicaStateMachine).
        """
        if node_id in self.brokers:
            self.brokers[node_id].drop_partition(topic, index)
        elif self.brokers[self.controller_id].profile.has_quorum:
            self.absent_replicas.lose(node_id, (topic.name, index))

    def _drop_from_absent(self, topic: Topic) -> set[BrokerId]:
        """Brokers that do not run lose a topic. Returns which."""
        absent = self.known_brokers.keys() - self.brokers
        lost = [(node, state.index) for state in topic.partitions for node in state.replicas if node in absent]
        for node_id, index in lost:
            self.absent_replicas.lose(node_id, (topic.name, index))
        return {node_id for node_id, _ in lost}

    @property
    def assignable(self) -> list[BrokerId]:
        """The brokers that may get replicas: those that run, and last, if controllers allow that, those that do not."""
        running = sorted(self.registered)
        if not self.brokers or not self.brokers[self.controller_id].profile.topics.absent_brokers_assigned:
            return running
        return running + sorted(self.known_brokers.keys() - self.brokers)

    def assign(
        self, partitions: int, replication_factor: int, start: BrokerId = 0, first: PartitionIndex = 0
    ) -> list[list[BrokerId]]:
        """Replicas for new partitions from number `first` on, spread over the running brokers from `start` on. If these
        are too few, every partition also gets replicas on brokers that are down.
        """
        nodes = sorted(self.registered)
        at = bisect_left(nodes, start) % max(1, len(nodes))
        running = assign_replicas(nodes, partitions, min(replication_factor, len(nodes)), at, first)
        if replication_factor <= len(nodes):
            return running
        absent = self.assignable[len(nodes) : replication_factor]
        return [[*replicas, *absent] for replicas in running]

    def elect(self, topic: Topic, index: PartitionIndex, leader: BrokerId | None = None) -> LeaderEpoch:
        """Begin a new leader epoch for a partition, led by `leader` (default: as before), and return it."""
        state = topic.partition(index)
        assert state is not None
        self.change(topic, state, leader=leader)
        return state.leader_epoch

    def change(
        self,
        topic: Topic,
        state: PartitionState,
        *,
        leader: BrokerId | None = None,
        isr: list[BrokerId] | None = None,
        new_epoch: bool = True,
        epochs: int = 1,
    ) -> None:
        """Change who leads a partition or who is in sync, and tell the brokers that host it. `epochs`: how many begin.

        Without a new epoch only the leader needs to know: it has changed the set in sync itself.
        """
        self.tellings.tell()
        in_sync, led_by = state.isr, state.leader
        key, before = (topic.name, state.index), copy(state) if self.news is not None and new_epoch else state
        hosts = [host for broker in self.brokers.values() if (host := broker.partitions.get(key)) is not None]
        for host in hosts:
            host.before_change()
            if leader not in (None, state.leader):
                host.on_new_leader()
        state.leader = state.leader if leader is None else leader
        state.isr = state.isr if isr is None else isr
        if state.eligible or self.keeps_eligible:
            self._change_eligible(topic, state, in_sync, led_by)
        if new_epoch:
            state.leader_epoch += epochs
            state.isr_of_epoch = state.isr
            if self.news is None:
                self._lead(topic, state)
            else:
                self.news.changed(topic, before, state)
            return
        for host in hosts:
            if host.leads:
                host.advance_high_watermark()
            self.waiters.wake(host.key)

    def _change_eligible(self, topic: Topic, state: PartitionState, in_sync: list[BrokerId], leader: BrokerId) -> None:
        """`in_sync`, `leader`: as they were before."""
        if self.keeps_eligible:
            from fakekafka.cluster.eligible_leaders import follow_change  # only new clusters of 4.1 and later have them

            config = self.brokers[self.controller_id].topic_config(topic)
            follow_change(state, in_sync, leader, min_in_sync(config, len(state.replicas)))
        elif self.brokers:
            state.eligible = []  # the feature has been switched off

    def _lead(self, topic: Topic, state: PartitionState) -> None:
        for node_id in state.replicas:
            if node_id in self.brokers:
                self.brokers[node_id].become(topic, state)

    @property
    def keeps_eligible(self) -> bool:
        """Whether replicas that left the set in sync may lead again (KIP-966)."""
        return bool(self.settings.features.get(ELIGIBLE_LEADERS)) and bool(self.brokers)

    def clear(self) -> None:
        """Forget every topic and everything that was set."""
        if self.known_brokers.keys() > self.brokers.keys():
            for topic in self.topics.values():
                self._drop_from_absent(topic)
        self.absent_replicas.forget_topics()
        self.topics.clear()
        self.topics_by_id.clear()
        if self.news is not None:
            self.news.clear()
        self.settings.clear()
        self.zookeeper_offsets.clear()
        self.has_registrations = False
        self._failed_controller = None
        self.emptied_names = frozenset()

    # ---- ids

    def adopt_id(self, cluster_id: str, broker_epochs_given: int = 0) -> None:
        """Continue a cluster that existed before, in another process: random values must not repeat those of that
        process.
        """
        self.id = cluster_id
        self.broker_epochs_given = broker_epochs_given
        self.has_registrations = broker_epochs_given > 0
        self.random.seed(f"{cluster_id} {broker_epochs_given}")

    def next_producer_id_block(self, size: int) -> ProducerId:
        """The first of `size` producer ids that were never handed out. They count from 0, under ZooKeeper and KRaft."""
        self.producer_ids_given += size
        return self.producer_ids_given - size

    def next_broker_epoch(self) -> int:
        """The number of a broker's start (KIP-380). In real clusters they grow, too, but not by one."""
        self.broker_epochs_given += 1
        self.has_registrations = True
        return self.broker_epochs_given

    def new_uuid(self) -> str:
        """A random UUID in its 36-character form, as brokers put into member ids."""
        text = self.random.randbytes(16).hex()
        return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
