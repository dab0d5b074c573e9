"""What the brokers of a lifelike cluster have not heard yet: a controller's news reaches them one after the other.

A broker that has not heard of a change goes on as before, with a copy of what it knew. The first to hear is the
controller's own broker or, if the leader changes, the broker that no longer leads: so no two brokers ever take the same
record.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final, Generic, Protocol, TypeVar

from fakekafka.cluster.node import AnyNode
from fakekafka.ids import BrokerId, DurationMs, TopicName, Uuid
from fakekafka.pace.lifelike import Lifelike
from fakekafka.state.topics import PartitionState, Topic
from fakekafka.waiting.timers import Timers
from fakekafka.waiting.waiters import Waiters

Key = TypeVar("Key", TopicName, Uuid)

MEASURED_SESSION_MS: Final[DurationMs] = 6_000
"""The session of the brokers whose deaths were measured: the default of 1.1."""


class Cluster(Protocol[AnyNode]):
    """What is news, and to whom."""

    topics: dict[TopicName, Topic]
    topics_by_id: dict[Uuid, Topic]
    brokers: dict[BrokerId, AnyNode]
    timers: Timers
    waiters: Waiters

    @property
    def registered(self) -> dict[BrokerId, AnyNode]: ...
    @property
    def controller_id(self) -> BrokerId: ...


class News(Generic[AnyNode]):
    """What each broker of `cluster` has heard, and when it hears the rest."""

    def __init__(self, cluster: Cluster[AnyNode], pace: Lifelike) -> None:
        self._cluster = cluster
        self._pace = pace
        self._before: dict[tuple[BrokerId, PartitionState], PartitionState] = {}
        """How brokers still see partitions that have changed."""
        self._unheard: set[tuple[BrokerId, Topic]] = set()
        """Topics that brokers do not know."""
        self._fresh: dict[BrokerId, Callable[[], None]] = {}
        """Brokers under ZooKeeper that have just started and heard nothing yet, with what they do when they hear."""
        self._missed: dict[BrokerId, tuple[AnyNode, Callable[[], None]]] = {}
        """Brokers that have died and whose session has not ended, with what the controller does when it ends."""

    # ---- what a broker knows

    def is_fresh(self, node_id: BrokerId) -> bool:
        """Whether a broker has started and heard nothing yet."""
        return node_id in self._fresh

    def topics(self, node_id: BrokerId) -> Mapping[TopicName, Topic]:
        """The topics that a broker knows."""
        return self._known(self._cluster.topics, node_id)

    def topic_ids(self, node_id: BrokerId) -> Mapping[Uuid, Topic]:
        """The topics that a broker knows, by id. Topics from before there were ids are not among them."""
        return self._known(self._cluster.topics_by_id, node_id)

    def _known(self, there: Mapping[Key, Topic], node_id: BrokerId) -> Mapping[Key, Topic]:
        if node_id in self._fresh:
            return {}
        hidden = {topic for other, topic in self._unheard if other == node_id} | self._pace.being_made.keys()
        return {key: topic for key, topic in there.items() if topic not in hidden} if hidden else there

    def partition(self, node_id: BrokerId, state: PartitionState) -> PartitionState:
        """A partition as a broker knows it."""
        return self._before.get((node_id, state), state)

    def brokers(self, node_id: BrokerId) -> Mapping[BrokerId, AnyNode]:
        """The brokers that a broker believes to be running."""
        if node_id in self._fresh:
            return {}
        missed = {other: broker for other, (broker, _) in self._missed.items()}
        return self._cluster.registered | missed

    # ---- what happens

    def created(self, topic: Topic, states: Iterable[PartitionState]) -> None:
        """A new topic has leaders."""
        states = list(states)
        self._unheard |= {(node_id, topic) for node_id in self._cluster.brokers}
        self._tell(topic, states, self._cluster.controller_id)

    def changed(self, topic: Topic, before: PartitionState, state: PartitionState) -> None:
        """A partition has a new epoch; `before`: as it was."""
        for node_id, broker in self._cluster.brokers.items():
            known = self._before.setdefault((node_id, state), before)
            hosted = broker.partitions.get((topic.name, state.index))
            if hosted is not None:
                hosted.state = known
        self._tell(topic, [state], before.leader)

    def started(self, broker: AnyNode, hear: Callable[[], None]) -> bool:
        """A broker has started. Returns whether it must wait to be told what it leads: `hear` is called then."""
        if broker.profile.has_quorum:
            return False  # it catches up before it serves
        node_id = broker.node_id
        self._fresh[node_id] = hear
        broker.timers.after(self._pace.delay_ms("told what it leads", broker.profile), lambda: self.hurry(node_id))
        return True

    def died(self, broker: AnyNode, notice: Callable[[], None]) -> None:
        """A broker has died: the controller notices when the session ends."""
        node_id = broker.node_id
        self._missed[node_id] = broker, notice
        self._cluster.timers.after(self._noticed_after_ms(broker), lambda: self._notice(node_id, broker))

    def left(self, node_id: BrokerId) -> None:
        """A broker no longer runs, or has failed to start: there is nothing to tell it."""
        self._fresh.pop(node_id, None)

    def all_left(self) -> None:
        """No broker runs: nobody is left to notice who has died."""
        self._missed.clear()

    def returns(self, node_id: BrokerId) -> None:
        """A broker starts again: the controller notices now that it died, unless it has noticed before."""
        self._unheard = {(other, topic) for other, topic in self._unheard if other != node_id}
        self._before = {known: before for known, before in self._before.items() if known[0] != node_id}
        if node_id in self._missed:
            self._notice(node_id, self._missed[node_id][0])

    def hurry(self, node_id: BrokerId) -> None:
        """Tell everything at once to a broker that has just started."""
        hear = self._fresh.pop(node_id, None)
        if hear is not None:
            hear()

    def finish(self) -> None:
        """Tell every broker everything."""
        for node_id in tuple(self._missed):
            self.returns(node_id)
        for node_id in tuple(self._fresh):
            self.hurry(node_id)
        for topic in self._cluster.topics.values():
            for broker in tuple(self._cluster.brokers.values()):
                self._hear(broker, topic, topic.partitions)

    def clear(self) -> None:
        """Forget every topic, and which brokers have died."""
        self._missed.clear()
        self._before.clear()
        self._unheard.clear()

    # ---- telling

    def _tell(self, topic: Topic, states: list[PartitionState], first: BrokerId) -> None:
        cluster = self._cluster
        for node_id, broker in tuple(cluster.brokers.items()):
            if node_id == first:
                self._hear(broker, topic, states)
                continue
            delay_ms = self._pace.delay_ms("news", broker.profile)
            broker.timers.after(delay_ms, partial(self._hear, broker, topic, states))

    def _hear(self, broker: AnyNode, topic: Topic, states: Iterable[PartitionState]) -> None:
        node_id = broker.node_id
        is_new = (node_id, topic) in self._unheard
        self._unheard.discard((node_id, topic))
        for state in states:
            has_changed = self._before.pop((node_id, state), None) is not None
            is_there = self._cluster.topics.get(topic.name) is topic and node_id in state.replicas
            if is_there and (is_new or has_changed):
                broker.become(topic, state)
        self._cluster.waiters.wake(topic)

    def _notice(self, node_id: BrokerId, broker: AnyNode) -> None:
        missed, notice = self._missed.get(node_id, (None, None))
        if missed is broker and notice is not None:
            del self._missed[node_id]
            notice()

    def _noticed_after_ms(self, broker: AnyNode) -> DurationMs:
        """The measured time, longer or shorter by as much as the broker's session is."""
        name = "broker.session.timeout.ms" if broker.profile.has_quorum else "zookeeper.session.timeout.ms"
        measured_ms = self._pace.delay_ms("death noticed", broker.profile)
        return max(1, measured_ms + broker.config.int(name) - MEASURED_SESSION_MS)
