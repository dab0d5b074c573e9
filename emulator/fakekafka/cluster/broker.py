"""One broker: its profile and config, the partitions it hosts, its coordinators. The root of all state of a node.

This file is longer than others, because all parts of a broker meet here, and each asks it for a few things.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from fakekafka.clock import thread_cpu_ns
from fakekafka.cluster.cluster_of import ClusterOf
from fakekafka.cluster.fetch_sessions import FetchSessions
from fakekafka.cluster.formats import message_format, units_of
from fakekafka.cluster.known_topics import ToldAtStart
from fakekafka.cluster.leadership import replica_lost
from fakekafka.cluster.node import LastSeen
from fakekafka.cluster.producer_ids import ids_of
from fakekafka.cluster.stored_topics import check_stored_topics, is_readable
from fakekafka.ids import (
    ApiKey,
    BrokerId,
    Offset,
    PartitionIndex,
    ProducerId,
    TimestampMs,
    TopicName,
    TopicPartition,
)
from fakekafka.log.config import LogConfig
from fakekafka.log.files import Directory
from fakekafka.releases.features import FIRST_THAT_SKIPS_EPOCHS, METADATA_VERSION
from fakekafka.releases.profile import Profile
from fakekafka.releases.protocol_effects import RACKS, TOPIC_IDS
from fakekafka.state.advertised_address import advertised_address
from fakekafka.state.append_targets import append_target, min_in_sync
from fakekafka.state.configs import BrokerConfig, TopicConfig
from fakekafka.state.security_config import authorizer_of, endpoints_of, listeners_of, properties_at_start
from fakekafka.state.topics import COMMIT_LOG, PartitionState, Topic, leaderless
from fakekafka.storage.cleaning import Cleaning
from fakekafka.storage.conversion_bill import ConversionBill
from fakekafka.storage.hosted_partitions import Birth, HostedPartitions
from fakekafka.storage.log_dirs import LogDirs
from fakekafka.storage.log_manager import LogManager, Unsynced
from fakekafka.storage.partition import Partition
from fakekafka.waiting.timers import BrokerTimers

if TYPE_CHECKING:
    from fakekafka.cluster.address_limits import AddressLimits
    from fakekafka.cluster.known_credentials import KnownCredentials
    from fakekafka.cluster.own_configs import OwnConfigs
    from fakekafka.cluster.replication.follower import Follower
    from fakekafka.cluster.telemetry.telemetry import Telemetry
    from fakekafka.security.quotas import Rate, TokenBucket, Usage
    from fakekafka.security.tls import Encryption

UNLIMITED: Final = 2**63 - 1
"""The value of a quota's property that limits nobody."""

ApiRanges: TypeAlias = Mapping[ApiKey, tuple[int, int]]


def _forgetful() -> "OwnConfigs":
    from fakekafka.cluster.own_configs import OwnConfigs  # only old releases forget

    return OwnConfigs()


class Coordinators(Protocol):
    """What a broker reports to the coordinators on it: of groups, transactions, deliveries to share groups."""

    def on_leadership(self, topic: TopicName, index: PartitionIndex, *, leads: bool) -> None:
        """The broker has begun or ceased to lead a partition."""

    def on_marker(self, topic: TopicName, index: PartitionIndex, producer_id: ProducerId, *, commit: bool) -> None:
        """The end of a producer's transaction was written into a partition that the broker leads."""

    def on_topic_deleted(self, topic: TopicName) -> None:
        """A topic is deleted."""

    def end_connection(self, connection_id: int) -> None:
        """A client's connection has ended."""

    def clear(self) -> None:
        """Forget everything."""


class Broker:
    """A node of `cluster`. `places` are its log directories by path, on disk or in memory; `coordinators` creates its
    coordinators. `config` stays as it is.
    """

    def __init__(
        self,
        cluster: "ClusterOf[Broker]",
        node_id: BrokerId,
        profile: Profile,
        config: BrokerConfig,
        places: Mapping[str, Directory],
        advertised: ApiRanges,
        accepted: ApiRanges,
        coordinators: Callable[["Broker"], Coordinators],
    ) -> None:
        self.cluster = cluster
        self.waiters = cluster.waiters
        self.node_id = node_id
        self.profile = profile
        settings = cluster.settings
        self.config = config = config.of_broker(settings.brokers.setdefault(node_id, {}), settings.all_brokers)
        self.log_dirs = LogDirs(places)
        self.advertised = advertised
        self.accepted = accepted
        self.host = ""
        self.port = 0
        self._bound = ("", 0)
        self._bound_listeners: dict[str, tuple[str, int]] = {}
        keeps = profile.has_quorum or not config.dynamic
        self.opened_with = config.static if keeps else properties_at_start(config)
        """The properties with which the listeners were opened."""
        self.listeners = listeners_of(cluster.security, config, self.opened_with, profile)
        """The listeners for clients; `host` and `port` are the address of the first."""
        self.encryption: dict[str, Encryption] = {}
        """How each listener with TLS speaks it, while it listens."""
        self.endpoints: dict[str, tuple[str, int]] = {}
        """The addresses that the listeners tell their clients, by name, if there are several."""
        self._scram_steps_at_start = len(settings.scram_history)
        self.authorizer = authorizer_of(cluster.security, cluster.settings.acls, profile, config)
        """Decides what a client may do; if None, everyone may do everything."""
        self.usages: dict[str, Usage[Rate]] = {}
        """What clients have used of each kind of quota since the broker started, once anything counts."""
        self.mutations: Usage[TokenBucket] | None = None
        """Under ZooKeeper, what is left of each quota on partitions that are created and deleted, at the controller."""
        self.rack = config.text("broker.rack") or None
        self._plugged = None if cluster.plugins is None else cluster.plugins.of_broker(node_id)
        self._dialect, self._append = units_of(cluster.drafts, self._plugged, self.profile.append)
        """How units of format 2 are read, and how sets are appended to topics that are not internal."""
        self.partitions = HostedPartitions(self._make_promised)
        self.offline: set[TopicPartition] = set()
        """Partitions of this broker that lie in a log directory that has failed."""
        self._own_configs = None if profile.alter_configs.own_configs_last else _forgetful()
        self.timers = BrokerTimers(cluster.timers)
        self._follower: Follower[Broker] | None = None
        self._stored_high_watermarks: dict[TopicPartition, Offset] | None = None
        self.bill = ConversionBill(thread_cpu_ns)
        """What conversions have cost since the start."""
        slots = config.int("max.incremental.fetch.session.cache.slots")
        self.logs = LogManager(self)
        self.is_up = False  # whether it has started
        self.told_at_start = ToldAtStart((), 0)
        self.last_seen: LastSeen | None = None  # when it stopped
        self.is_leaving = False  # whether it is being stopped or killed: a disk that fails changes nothing then
        self.cleaning = Cleaning(self, self.logs)
        self.fetch_sessions = FetchSessions(slots, profile.fetch, cluster.random)
        self.configured_groups = set(cluster.settings.groups)
        """Groups that have had configs of their own since the start."""
        self._telemetry: Telemetry | None = None
        self.producer_ids = ids_of(profile, config, cluster.next_producer_id_block)
        self.coordinators = coordinators(self)
        self.epoch = cluster.next_broker_epoch()
        cluster.brokers[node_id] = self
        cluster.known_brokers[node_id] = cluster.nodes[node_id] = self

    @cached_property
    def shown_rack(self) -> str | None:
        """The rack that clients are told: with an old inter-broker protocol brokers have not registered theirs."""
        registers = self.profile.allows(RACKS, self.config.text("inter.broker.protocol.version"))
        return self.rack if registers else self.profile.metadata.unregistered_rack

    @cached_property
    def has_topic_ids(self) -> bool:
        """Whether new topics get ids (KIP-516). Under ZooKeeper the inter-broker protocol must know them."""
        protocol = self.config.text("inter.broker.protocol.version")
        return self.profile.metadata.topic_ids and self.profile.allows(TOPIC_IDS, protocol)

    @property
    def telemetry(self) -> "Telemetry":
        """The clients that were told which metrics to send. Created when first asked for."""
        if self._telemetry is None:
            from fakekafka.cluster.telemetry.pushed import ReceivedMetrics
            from fakekafka.cluster.telemetry.telemetry import Telemetry

            received = ReceivedMetrics(self.node_id) if ApiKey.PUSH_TELEMETRY in self.advertised else None
            cluster = self.cluster
            self._telemetry = Telemetry(
                self.profile, self.config, cluster.settings, cluster.random, self.timers, received
            )
        return self._telemetry

    @cached_property
    def credentials(self) -> "KnownCredentials":
        """The SCRAM credentials that this broker knows."""
        from fakekafka.cluster.known_credentials import KnownCredentials  # few brokers have users

        settings, by_log = self.cluster.settings, self.profile.admin.credentials_by_log
        return KnownCredentials(settings, self._scram_steps_at_start, by_log=by_log)

    @cached_property
    def address_limits(self) -> "AddressLimits":
        """How many connections each address may have."""
        from fakekafka.cluster.address_limits import AddressLimits  # few brokers limit them

        rule = self.profile.connection.address_limits_from_properties
        return AddressLimits(self.config, from_properties=rule)

    # ---- life

    def end_connection(self, connection_id: int) -> None:
        """A client's connection has ended."""
        if self._telemetry is not None:
            self._telemetry.end_connection(connection_id)
        self.coordinators.end_connection(connection_id)

    def start_up(self) -> None:
        """Open the logs of all partitions that this broker hosts. Raises `BrokerWillNotStart`."""
        check_stored_topics(self.cluster.topics.values(), self.profile)
        self.logs.start()
        for name, index in self.cluster.absent_replicas.take(self.node_id):
            self.logs.remove(name, index)
        self._note_lost()
        news = self.cluster.news
        hears_later = news is not None and news.started(self, self._hear)
        if self.node_id in self.cluster.announced:  # all epochs have passed
            self.cluster.announced.discard(self.node_id)
        else:
            if self.profile.topics.leads_before_start_passes_epochs:
                self._become_all()
            self._pass_epochs(self.profile.topics.epochs_by_start)
        if not hears_later:
            self._host_all()
        self.is_up = True
        self.cleaning.start()
        for name, index in tuple(self.offline):
            replica_lost(self.cluster, self.cluster.topics[name], index, self.node_id)

    def _note_lost(self) -> None:
        """Note which partitions may lie in a log directory that has failed."""
        for topic, state in self._hosted:
            if self.logs.may_have_lost((topic.name, state.index)):
                self.offline.add((topic.name, state.index))

    def _hear(self) -> None:
        """Learn what this broker leads and follows, a moment after it has started."""
        self._host_all()
        self.waiters.wake_all()

    @property
    def _hosted(self) -> list[tuple[Topic, PartitionState]]:
        """The partitions that this broker should host."""
        topics = self.cluster.topics.values()
        return [(topic, state) for topic in topics for state in topic.partitions if self.node_id in state.replicas]

    def _become_all(self) -> None:
        for topic, state in self._hosted:
            self.become(topic, state)

    def _host_all(self) -> None:
        """Host what it should, and continue the moves to other log directories that the last stop interrupted."""
        self._become_all()
        for topic in self.cluster.topics.values():
            self.reconfigure(topic)  # as real brokers do once their logs are open: see `formats`
        self.logs.on_leadership()
        if not self.profile.has_quorum:
            self._hear_of_all()
        if moves := self.logs.unfinished_moves():
            from fakekafka.storage.log_moves import finish_moves  # few starts follow an interrupted move

            finish_moves(self.logs, moves)

    def _hear_of_all(self) -> None:
        """A controller under ZooKeeper tells this broker about all partitions."""
        cluster = self.cluster
        if len(cluster.brokers) == 1:
            cluster.tellings.begin()
        else:
            cluster.tellings.tell()
        self.told_at_start = ToldAtStart(cluster.topics.values(), cluster.tellings.times)

    def shut_down(self, now: TimestampMs, *, others_stay: bool = False) -> None:
        """A clean stop: every log is closed. `others_stay`: other brokers take over what this one leads."""
        if self.cluster.news is not None:
            self.cluster.news.hurry(self.node_id)
        self.partitions.keep_promises()  # before the epochs pass
        if self.config.bool("controlled.shutdown.enable") and not others_stay:
            self._announce_stop()
        self.cleaning.stop()
        self.logs.stop(now)
        self._end()

    def _announce_stop(self) -> None:
        """Tell the controller of KRaft, which takes the leadership away. It comes back at the next start, whatever the
        release. Recorded from 3.4.1 to 4.1.1: epochs_across.
        """
        rules = self.profile.topics
        if epochs := rules.epochs_by_controlled_shutdown:
            level = self.cluster.settings.features.get(METADATA_VERSION, 0)
            extra = rules.old_metadata_passes_epoch and level < FIRST_THAT_SKIPS_EPOCHS
            self.cluster.announced.add(self.node_id)
            self._pass_epochs(epochs + extra)

    def _end(self) -> None:
        if self.cluster.news is not None:
            self.cluster.news.left(self.node_id)
        self._stop_following()
        self.partitions.clear()
        self.offline.clear()
        self.timers.close()
        self.is_up = False
        cluster = self.cluster
        self.last_seen = LastSeen(cluster.settings.metadata_offset, cluster.clock.now_ms, cluster.quorum_epoch)

    def _pass_epochs(self, count: int) -> None:
        """Skip the leader epochs in which the partitions that this broker leads have no leader."""
        states = (state for topic in self.cluster.topics.values() for state in topic.partitions)
        for state in filter(lambda state: state.leader == self.node_id, states):
            state.leader_epoch += count

    def crash(self, unsynced: Unsynced = "kept") -> None:
        """A kill: the files stay as they are, except for what was never flushed."""
        self.cleaning.stop()
        self.logs.crash(unsynced)
        self._end()

    def clear(self) -> None:
        """Forget everything, files included."""
        self.config.forgotten()
        self._stop_following()
        if self._follower is not None:
            self._follower.pause(False)
        self.partitions.clear()
        self.offline.clear()
        self.fetch_sessions.clear()
        self.configured_groups.clear()
        self._scram_steps_at_start = 0
        self.__dict__.pop("credentials", None)
        self.bill.clear()
        self.coordinators.clear()
        self.cleaning.stop()
        self.logs.clear()
        self.cleaning.start()

    # ---- partitions

    @property
    def follower(self) -> "Follower[Broker]":
        """What the broker copies from others. Created when first needed: a cluster of one broker copies nothing."""
        if self._follower is None:
            from fakekafka.cluster.replication.follower import Follower

            self._follower = Follower(self, self.cluster)
        return self._follower

    @property
    def copies(self) -> bool:
        """Whether the broker fetches from others: not while that is paused."""
        return self._follower is None or not self._follower.is_paused

    def _stop_following(self, key: TopicPartition | None = None) -> None:
        """Stop copying a partition, or all."""
        if self._follower is None:
            return
        if key is None:
            self._follower.stop()
        else:
            self._follower.drop(*key)

    def partition(self, topic: TopicName, index: PartitionIndex) -> Partition | None:
        """The partition, if this broker leads it."""
        hosted = self.partitions.get((topic, index))
        return hosted if hosted is not None and hosted.state.leader == self.node_id else None

    def topic_config(self, topic: Topic) -> TopicConfig:
        """The configuration in force for a topic."""
        return self.config.of_topic(topic.overrides)

    def become(self, topic: Topic, state: PartitionState) -> None:
        """Host a partition, unless it is hosted already, and lead it if the cluster says so."""
        key, news = (topic.name, state.index), self.cluster.news
        knows_nothing = news is not None and news.is_fresh(self.node_id)
        if key in self.offline or knows_nothing or not is_readable(topic, self.profile):
            return
        if not self.log_dirs.all_lead and not self.log_dirs.of(*key).leads:
            self.partitions[key] = self._open(topic, leaderless(state))
            return
        if key not in self.partitions:
            if state.index == 0 and self._own_configs is not None:
                self._own_configs.learn(topic)
            self.partitions[key] = self._open(topic, state)
        else:
            self.logs.on_change(topic, state.index)
        partition = self.partitions[key]
        partition.state = state
        if state.leader == self.node_id:
            self._stop_following(key)
            partition.log.become_leader(state.leader_epoch)
            partition.advance_high_watermark()
        else:
            self.follower.follow(partition)
        self.coordinators.on_leadership(topic.name, state.index, leads=state.leader == self.node_id)
        if self.is_up:
            self.logs.on_leadership()
        self.waiters.wake(partition.key)

    def become_alone(self, topic: Topic, states: Sequence[PartitionState]) -> None:
        """Lead new partitions that live nowhere else. In memory they are created when first asked for."""
        if topic.is_internal or topic.name == COMMIT_LOG or not self._promises:
            for state in self._as_hosted(topic, states):
                self.become(topic, state)
            return
        if self._own_configs is not None:
            self._own_configs.learn(topic)
        self.partitions.promise(topic, states, self.logs.birth(topic))
        if self.is_up:
            self.logs.on_leadership()

    def _as_hosted(self, topic: Topic, states: Sequence[PartitionState]) -> Sequence[PartitionState]:
        """New partitions in the order in which their logs are created, if that makes a difference."""
        if self.log_dirs.is_one or len(states) == 1:
            return states
        from fakekafka.cluster.hosting_order import as_hosted  # few brokers have several log directories

        return as_hosted(topic.name, states, self.profile)

    @property
    def _promises(self) -> bool:
        """Whether partitions may be created later: no files, no choice between directories, no unreadable topics."""
        return self.log_dirs.in_memory and self.log_dirs.is_one and self.profile.topics.configs_checked

    def _make_promised(self, topic: Topic, state: PartitionState, birth: Birth) -> Partition:
        partition = self._open(topic, state, birth)
        partition.log.become_leader(state.leader_epoch)
        partition.advance_high_watermark()
        return partition

    def _open(self, topic: Topic, state: PartitionState, birth: Birth | None = None) -> Partition:
        log = self.logs.get_or_create(topic, state.index, birth)
        rules = self.profile.append if topic.is_internal else self._append
        partition = Partition(topic, state, log, rules, self.node_id, self._known_high_watermark(topic.name, state))
        self._set_target(partition)
        partition.log.on_high_watermark(partition.high_watermark)
        return partition

    def _known_high_watermark(self, topic: TopicName, state: PartitionState) -> Offset:
        """The high watermark that the broker wrote down when it last ran. A lone replica does not need it."""
        if len(state.replicas) < 2:
            return 0
        if self._stored_high_watermarks is None:
            self._stored_high_watermarks = self.logs.roots.high_watermarks()
        return self._stored_high_watermarks.pop((topic, state.index), 0)

    @cached_property
    def has_default_quotas(self) -> bool:
        """Whether its own properties are quotas of clients, which they may be up to 2.8."""
        return any(self.config.int(f"quota.{who}.default", UNLIMITED) != UNLIMITED for who in ("producer", "consumer"))

    def log_config(self, topic: Topic, newly_created: bool = False) -> LogConfig:
        """The configuration of the topic's logs."""
        magic = message_format(self.config, self.profile.log, topic, newly_created=newly_created)
        own = topic.overrides if self._own_configs is None else self._own_configs.of(topic)
        config = self.config.of_topic(own).log_config()
        if self._dialect is not None and (self._append is self.profile.append or not topic.is_internal):
            config = config._replace(dialect=self._dialect)
        if self.cluster.drafts.times_by is not None:
            config = config._replace(times_by=self.cluster.drafts.times_by)
        return config if config.message_format == magic else config._replace(message_format=magic)

    def lose(self, keys: Iterable[TopicPartition]) -> None:
        """The log directory of these partitions has failed. If the controller is told, other brokers lead them."""
        for name, index in keys:
            partition = self.partitions.pop((name, index))
            self.offline.add((name, index))
            self._stop_following((name, index))
            if partition is not None:
                replica_lost(self.cluster, partition.topic, index, self.node_id)
                self.waiters.wake(partition.key)

    def drop_topic(self, topic: Topic) -> None:
        """The topic is deleted."""
        for index in self._deleted_in_order(topic):
            self.drop_partition(topic, index)
        self.coordinators.on_topic_deleted(topic.name)

    def _deleted_in_order(self, topic: Topic) -> Sequence[PartitionIndex]:
        """The partitions of a topic, as they are deleted (ReplicaManager.stopReplicas): it shows where each of them
        wakes fetches. Recorded from 2.6.3: random_deletions.
        """
        indexes = [state.index for state in topic.partitions]
        if len(indexes) < 2 or not self.profile.fetch.woken_early:
            return indexes
        from fakekafka.jvm.chains import place_hash, through  # few releases
        from fakekafka.jvm.maps import MapKind

        places = [(topic.name, index) for index in indexes]
        return [index for _, index in through((MapKind.SCALA_2_13_MUTABLE,), places, place_hash)]

    def drop_partition(self, topic: Topic, index: PartitionIndex) -> None:
        """Stop hosting a partition, and delete its directory."""
        partition = self.partitions.pop((topic.name, index))
        self.offline.discard((topic.name, index))
        if partition is not None:
            self._stop_following((topic.name, index))
            self.logs.remove(topic.name, index)
            self.cleaning.forget((topic.name, index))
            self.coordinators.on_leadership(topic.name, index, leads=False)
            if self.profile.fetch.told_of_deletion:
                wakes = self.waiters.wake_now if self.profile.fetch.woken_early else self.waiters.wake
                wakes(partition.key)

    def reconfigure(self, topic: Topic, *, own: bool = True) -> None:
        """The topic's configuration has changed. `own`: what the topic itself sets, not the defaults."""
        if own and self._own_configs is not None:
            self._own_configs.learn(topic)
        if not is_readable(topic, self.profile):
            return
        for state in topic.partitions:
            if (partition := self.partitions.get((topic.name, state.index))) is not None:
                partition.log.configure(self.log_config(topic))
                self._set_target(partition)
                if partition.advance_high_watermark():
                    self.waiters.wake(partition.key)

    def listen_on(self, host: str, port: int) -> None:
        """Note where the broker is bound; what it tells its clients may differ."""
        self._bound = host, port
        self.host, self.port = advertised_address(self.config, host, port)

    def listen_on_several(self, bound: Mapping[str, tuple[str, int]]) -> None:
        """Note where its listeners are bound, by name."""
        first = self.listeners[0].name
        self._bound_listeners = dict(bound)
        self.endpoints = endpoints_of(self.config, bound, self.profile)
        self.host, self.port = self.endpoints[first]

    def reconfigure_all(self) -> None:
        """A dynamic config of this broker, or of all brokers, has changed."""
        self.config.changed()
        self.address_limits.changed(self.config.heard)
        if self._own_configs is not None:
            self._own_configs.defaults_changed(self.config.heard)
        if self._bound_listeners:
            self.listen_on_several(self._bound_listeners)
        else:
            self.listen_on(*self._bound)
        for topic in self.cluster.topics.values():
            self.reconfigure(topic, own=False)
        self.cleaning.on_config_change()

    def _set_target(self, partition: Partition) -> None:
        """Tell a partition what is wanted of the records that are appended to it."""
        topic, magic, rules = partition.topic, partition.log.config.message_format, self.profile.produce
        own = topic.overrides if self._own_configs is None else self._own_configs.of(topic)
        config, protocol = self.config.of_topic(own), self.config.text("inter.broker.protocol.version")
        target = append_target(config, magic, f"{topic.name}-{partition.index}", protocol, self._plugged)
        most = len(partition.state.replicas) if rules.min_in_sync_capped else None
        partition.configure(target, min_in_sync(config, most), holds=rules.high_watermark_needs_min_in_sync)
