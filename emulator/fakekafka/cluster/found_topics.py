"""Topics as they can be inferred from the directories that a real broker left. What ZooKeeper or the quorum knew is
missing, so some of it is guessed: a partition is led by the broker that has it, in the last epoch that its files
mention; topics have no configs of their own, except the internal ones and those that the cleaner has noted, which are
compacted. `explain()` says so.
"""

from typing import TYPE_CHECKING

from fakekafka.cluster.cluster import Cluster
from fakekafka.cluster.internal_topics import PREFIX, own_configs
from fakekafka.errors import BrokerWillNotStart, MalformedBytes
from fakekafka.ids import ZERO_UUID, LeaderEpoch, TopicName, Uuid
from fakekafka.log import names
from fakekafka.log.checkpoints import Checkpoints, epoch_rows, topic_id_of
from fakekafka.log.files import Directory
from fakekafka.state.topics import TRANSACTION_STATE, PartitionState, Topic
from fakekafka.storage.directory_names import Named, read_name

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker


def adopt_directories(cluster: Cluster, *, only_there: bool = False) -> None:
    """Create the topics whose partitions are found, unless they are already known. `only_there`: topics of which no
    broker has a partition are forgotten, because they were deleted.
    """
    present: set[TopicName] = set()
    for broker in cluster.brokers.values():
        for log_dir in broker.log_dirs.all:
            for name in log_dir.directory.directories():
                named = _partition(broker, name)
                if named is not None:
                    present.add(named.topic)
                    _adopt(broker, named, log_dir.directory.directory(name))
    if only_there:
        for topic in [topic for topic in cluster.topics.values() if topic.name not in present]:
            del cluster.topics[topic.name]
            cluster.topics_by_id.pop(topic.id, None)


def _partition(broker: "Broker", name: str) -> Named | None:
    """The partition to which the directory belongs, if any. Bad names are refused later, when the broker starts."""
    rules = broker.profile.log_directory
    if name in names.NO_PARTITIONS or name in rules.skipped_directories:
        return None
    try:
        named = read_name(name, name, rules)
    except BrokerWillNotStart:
        return None
    return None if named.mark else named


def _adopt(broker: "Broker", named: Named, directory: Directory) -> None:
    topic = broker.cluster.topics.get(named.topic)
    if topic is None:
        topic = _new_topic(broker, named.topic, _topic_id(directory))
    state = topic.partition(named.partition)
    if state is None:
        state = PartitionState(named.partition, [broker.node_id], _latest_epoch(directory))
        topic.partitions.append(state)
        topic.partitions.sort(key=lambda each: each.index)
    elif broker.node_id not in state.replicas:
        state.replicas.append(broker.node_id)
        state.isr.append(broker.node_id)


def _new_topic(broker: "Broker", name: TopicName, topic_id: Uuid) -> Topic:
    cluster = broker.cluster
    topic = Topic(name, topic_id, _configs(broker, name))
    cluster.topics[name] = topic
    if topic_id != ZERO_UUID:
        cluster.topics_by_id[topic_id] = topic
    return topic


def _configs(broker: "Broker", name: TopicName) -> dict[str, str]:
    if name in PREFIX and f"{PREFIX[name]}.segment.bytes" in broker.config.table:
        return own_configs(broker, name)
    if name == TRANSACTION_STATE:  # left by a later release
        return {"cleanup.policy": "compact"}
    try:
        roots = (Checkpoints(log_dir.directory) for log_dir in broker.log_dirs.all)
        cleaned = {key for root in roots for key in root.offsets(names.CLEANER_OFFSETS)}
    except MalformedBytes:
        return {}
    return {"cleanup.policy": "compact"} if any(topic == name for topic, _ in cleaned) else {}


def _topic_id(directory: Directory) -> Uuid:
    """The topic's id as one of its partitions has it (KIP-516)."""
    from base64 import urlsafe_b64decode

    if not directory.exists(names.PARTITION_METADATA):
        return ZERO_UUID
    try:
        return urlsafe_b64decode(topic_id_of(directory.read_all(names.PARTITION_METADATA)) + "==")
    except (MalformedBytes, ValueError):
        return ZERO_UUID


def _latest_epoch(directory: Directory) -> LeaderEpoch:
    """The last leader epoch that the files mention; 0 if they mention none."""
    if not directory.exists(names.LEADER_EPOCHS):
        return 0
    try:
        return max((epoch for epoch, _ in epoch_rows(directory.read_all(names.LEADER_EPOCHS))), default=0)
    except MalformedBytes:
        return 0
