"""A cluster of brokers. What they share is `cluster_of.py`; this file is for code that needs both. `Broker` comes
between the two files: it is a node of a `ClusterOf`, and a `Cluster` consists of brokers.
"""

from typing import TypeAlias

from fakekafka.cluster.broker import Broker
from fakekafka.cluster.cluster_of import ClusterOf
from fakekafka.errors import UsageError
from fakekafka.state.topics import Topic
from fakekafka.storage.cleaning import Compaction

Cluster: TypeAlias = ClusterOf[Broker]


def compact_topic(cluster: Cluster, topic: Topic, roll: bool) -> list[Compaction]:
    """Run one pass of the cleaner over every copy of every partition of a topic. Raises `UsageError`."""
    done = []
    for broker in cluster.brokers.values():
        if not broker.profile.cleaner.exists:
            raise UsageError(f"{broker.profile.release} compacts nothing: 0.8.1 is the first release that does")
        policy = broker.topic_config(topic).cleanup_policy
        if "compact" not in policy:
            raise UsageError(f"{topic.name} is not compacted: its cleanup.policy is {','.join(policy)}")
        keys = [(topic.name, state.index) for state in topic.partitions]
        done += [broker.cleaning.compact(key, roll) for key in keys if key in broker.logs.logs]
    return done
