"""The follower in a broker: it copies what others lead, by fetching as its inter-broker protocol says.

A follower is woken when a leader's log has grown or its high watermark has moved, and fetches until it has everything:
once more than there is data, since only the next fetch tells the leader how far it is. All of that happens after the
request that woke it, in the same step, so followers never lag unless they are paused or cannot fetch; in a lifelike
cluster it happens a moment later, and what the leader then learns comes back with one more fetch. It stores what it
gets unchanged, so a follower whose Fetch is older than the leader's format stores converted bytes.
ReplicaFetcherThread, AbstractFetcherThread. Known differences: one partition in each fetch, no fetch sessions.
"""

from functools import partial
from typing import TYPE_CHECKING, Final, Generic

from fakekafka.cluster.cluster_of import ClusterOf
from fakekafka.cluster.leadership import drop_if_behind
from fakekafka.cluster.node import AnyNode, Node
from fakekafka.cluster.replication.truncation import cut, cut_at, cut_to, latest_epoch
from fakekafka.errors import ErrorCode
from fakekafka.ids import (
    NO_EPOCH,
    NO_OFFSET,
    ZERO_UUID,
    BrokerId,
    LeaderEpoch,
    PartitionIndex,
    TopicName,
    TopicPartition,
)
from fakekafka.log.leader_epochs import EpochEnd
from fakekafka.pieces import joined
from fakekafka.releases.replication_versions import NO_TOPIC_IDS_ABOVE, Parting, fetch_version, parting
from fakekafka.state.topics import NO_LEADER
from fakekafka.storage.copying import append_copy, has_units
from fakekafka.storage.partition import Partition
from fakekafka.waiting.timers import Timer
from fakekafka.waiting.waiters import Watch
from fakekafka.wire.apis.fetch import (
    FetchPartition,
    FetchRequest,
    FetchResponse,
    FetchTopic,
    PartitionData,
    ReplicaState,
)
from fakekafka.wire.message import Request, Response

if TYPE_CHECKING:
    from fakekafka.pace.lifelike import Lifelike

FIRST_WITH_LOG_START: Final = 5
"""Version of Fetch (KIP-107)."""
FIRST_WITH_REPLICA_STATE: Final = 15
"""Version of Fetch (KIP-903)."""


class _Copy:
    """One partition that is followed."""

    __slots__ = ("epoch", "fetch_timer", "fetches_data", "is_cut", "lag_timer", "leader", "partition", "watch")

    def __init__(self, partition: Partition, watch: Watch) -> None:
        self.partition = partition
        self.watch = watch
        self.leader: BrokerId = partition.state.leader
        self.epoch: LeaderEpoch = partition.state.leader_epoch
        self.is_cut = False
        """Whether the log agrees with the leader's, as far as it goes."""
        self.lag_timer: Timer | None = None
        self.fetch_timer: Timer | None = None
        """Until the next fetch of a lifelike cluster is answered."""
        self.fetches_data = False
        """Whether that fetch brings data."""

    def is_behind(self, leader: Partition) -> bool:
        """Whether the leader has more."""
        return self.partition.log.log_end_offset < leader.log.log_end_offset

    def stop(self) -> None:
        """Stop copying it."""
        self.watch.cancel()
        self.stop_lagging()
        if self.fetch_timer is not None:
            self.fetch_timer.cancel()

    def stop_lagging(self) -> None:
        if self.lag_timer is not None:
            self.lag_timer.cancel()
            self.lag_timer = None


class Follower(Generic[AnyNode]):
    """What `broker` copies from other brokers of its cluster."""

    def __init__(self, broker: Node, cluster: ClusterOf[AnyNode]) -> None:
        self._broker = broker
        self._cluster = cluster
        self._copies: dict[TopicPartition, _Copy] = {}
        self._is_paused = False

    def follow(self, partition: Partition) -> None:
        """Copy a partition from its leader, if it has one."""
        key, state = (partition.topic.name, partition.index), partition.state
        copy = self._copies.get(key)
        if copy is not None and copy.leader != state.leader:
            self.drop(*key)
            copy = None
        if state.leader == NO_LEADER:
            return
        if copy is None:
            copy = self._copies[key] = self._new_copy(partition)
        elif copy.epoch != state.leader_epoch:
            copy.epoch = state.leader_epoch
            copy.is_cut = copy.is_cut and self._parting == "high watermark"  # that only depends on who leads
        self._cluster.waiters.wake_up(copy.watch)

    def _new_copy(self, partition: Partition) -> _Copy:
        key = partition.key_at(partition.state.leader)
        return _Copy(partition, self._cluster.waiters.watch([key], lambda: self._copy(partition)))

    def drop(self, topic: TopicName, index: PartitionIndex) -> None:
        """Stop copying a partition."""
        copy = self._copies.pop((topic, index), None)
        if copy is not None:
            copy.stop()

    def stop(self) -> None:
        """The broker stops, or forgets everything."""
        for topic, index in tuple(self._copies):
            self.drop(topic, index)

    @property
    def is_paused(self) -> bool:
        return self._is_paused

    def pause(self, paused: bool) -> None:
        """Pause fetching, or continue."""
        self._is_paused = paused
        for copy in self._copies.values():
            self._cluster.waiters.wake_up(copy.watch)

    # ---- how it speaks

    @property
    def _level(self) -> int | None:
        """The level of metadata.version, if that decides how brokers speak."""
        return self._cluster.settings.features.get("metadata.version")

    @property
    def _protocol(self) -> str:
        return self._broker.config.text("inter.broker.protocol.version")

    @property
    def _parting(self) -> Parting:
        return parting(self._protocol, self._level)

    # ---- copying

    def _copy(self, partition: Partition) -> None:
        """Copy now, or as soon as a real broker's fetch would be answered."""
        pace = self._cluster.pace
        if pace is None:
            self._copy_now(partition)
        else:
            self._copy_later(partition, pace)

    def _copy_later(self, partition: Partition, pace: "Lifelike") -> None:
        """A fetch waits at the leader for data, or for a higher high watermark; data is answered sooner."""
        copy = self._copies.get((partition.topic.name, partition.index))
        if copy is None:
            return
        leader = self._cluster.brokers.get(copy.leader)
        led = None if leader is None else leader.partition(partition.topic.name, partition.index)
        brings_data = led is not None and copy.is_behind(led)
        if copy.fetch_timer is not None:
            if copy.fetches_data or not brings_data:
                return
            copy.fetch_timer.cancel()
        delay_ms = pace.delay_ms("replicated" if brings_data else "high watermark", self._broker.profile)
        copy.fetches_data = brings_data

        def answered() -> None:
            copy.fetch_timer = None
            self._copy_now(partition)

        copy.fetch_timer = self._broker.timers.after(delay_ms, answered)

    def _copy_now(self, partition: Partition) -> None:
        """Fetch until there is nothing left, or no progress is possible. A disk error stops the broker."""
        try:
            self._catch_up(partition)
        except OSError as error:
            self._broker.logs.on_disk_error(error)

    def _catch_up(self, partition: Partition) -> None:
        copy = self._copies.get((partition.topic.name, partition.index))
        leader = None if copy is None else self._cluster.brokers.get(copy.leader)
        if copy is None or leader is None:
            return
        led = leader.partition(partition.topic.name, partition.index)
        if led is None:
            return
        if not self._is_paused and self._is_cut(copy, leader):
            while self._fetch(copy, leader, led):
                pass
        idles = self._is_paused and self._broker.profile.topics.idle_follower_lags
        if not idles and not copy.is_behind(led):
            copy.stop_lagging()
        elif copy.lag_timer is None:
            self._lag(copy, leader, led)

    def _is_cut(self, copy: _Copy, leader: AnyNode) -> bool:
        if not copy.is_cut:
            now = self._cluster.clock.now_ms
            copy.is_cut = cut(self._broker.logs, copy.partition, partial(self._ask, leader), self._parting, now)
        return copy.is_cut

    def _lag(self, copy: _Copy, leader: AnyNode, led: Partition) -> None:
        def is_over() -> None:
            copy.lag_timer = None
            drop_if_behind(self._cluster, leader, led, self._broker.node_id)

        copy.lag_timer = leader.timers.after(leader.config.int("replica.lag.time.max.ms", 10_000), is_over)

    def _fetch(self, copy: _Copy, leader: AnyNode, led: Partition) -> bool:
        """Fetch once. True if the log has changed, so that the leader must be told."""
        partition = copy.partition
        version = fetch_version(self._protocol, self._level)
        if version > NO_TOPIC_IDS_ABOVE and partition.topic.id == ZERO_UUID:
            version = NO_TOPIC_IDS_ABOVE
        answer = self._ask(leader, self._request(partition, version), version)
        if not isinstance(answer, FetchResponse) or answer.error_code or not answer.responses:
            return False
        data = answer.responses[0].partitions[0]
        if data.error_code == ErrorCode.OFFSET_OUT_OF_RANGE:
            return self._begin_in_range(partition, led)
        if data.error_code != ErrorCode.NONE:
            return False
        if data.diverging_epoch.end_offset != NO_OFFSET:
            return self._part(partition, data)
        return self._take(partition, data, version)

    def _ask(self, leader: AnyNode, request: Request, version: int) -> Response | None:
        return self._cluster.exchange(leader, request, version, f"broker-{self._broker.node_id}-fetcher-0")

    def _request(self, partition: Partition, version: int) -> FetchRequest:
        config, epoch = self._broker.config, NO_EPOCH
        if self._parting == "fetch":
            epoch = latest_epoch(partition)
        asked = FetchPartition(
            partition=partition.index,
            current_leader_epoch=partition.leader_epoch,
            fetch_offset=partition.log.log_end_offset,
            last_fetched_epoch=epoch,
            log_start_offset=partition.log_start_offset,
            partition_max_bytes=config.int("replica.fetch.max.bytes", 1 << 20),
            high_watermark=partition.high_watermark,
        )
        topic = FetchTopic(topic=partition.topic.name, topic_id=partition.topic.id, partitions=[asked])
        request = FetchRequest(
            max_wait_ms=0,
            min_bytes=config.int("replica.fetch.min.bytes", 1),
            max_bytes=config.int("replica.fetch.response.max.bytes", 10 << 20),
            topics=[topic],
        )
        if version < FIRST_WITH_REPLICA_STATE:
            request.replica_id = self._broker.node_id
        else:
            request.replica_state = ReplicaState(replica_id=self._broker.node_id, replica_epoch=self._broker.epoch)
        return request

    def _take(self, partition: Partition, data: PartitionData, version: int) -> bool:
        """Store what came. False if there was nothing, or it cannot be stored."""
        log, now = partition.log, self._cluster.clock.now_ms
        pieces = data.records if isinstance(data.records, list) else [data.records or b""]
        lenient = self._broker.profile.log.copied_batch == "may begin earlier"
        came = joined(pieces)
        grown = append_copy(log, came, now, may_begin_earlier=lenient)
        if not grown and has_units(log, came):
            return False
        moved, start = partition.follow_high_watermark(data.high_watermark), log.log_start_offset
        if version >= FIRST_WITH_LOG_START and data.log_start_offset <= partition.high_watermark:
            log.advance_log_start(data.log_start_offset)
        if grown or moved or log.log_start_offset > start:
            self._cluster.waiters.wake(partition.key)
        return grown

    def _part(self, partition: Partition, data: PartitionData) -> bool:
        """The logs diverge: drop what the leader does not have."""
        before, ended = partition.log.log_end_offset, data.diverging_epoch
        now = self._cluster.clock.now_ms
        cut_at(self._broker.logs, partition, EpochEnd(ended.epoch, ended.end_offset), now)
        return partition.log.log_end_offset < before

    def _begin_in_range(self, partition: Partition, led: Partition) -> bool:
        """The leader's log ends before this one, or begins after it (handleOffsetOutOfRange)."""
        log, now = partition.log, self._cluster.clock.now_ms
        if led.log.log_end_offset < log.log_end_offset:
            return cut_to(self._broker.logs, partition, led.log.log_end_offset, now)
        if led.log_start_offset <= log.log_end_offset:
            return False
        log.truncate_fully_and_start_at(led.log_start_offset, now)
        self._broker.logs.checkpoints.write_recovery_points()
        return True
