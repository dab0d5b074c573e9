"""A commit under a condition: "update the offset to x, iff the current offset is y" (the design's open question).

No release of Kafka has a request for it, so it is a call into the process. It works with either log of offsets.
"""

from fakekafka.cluster.cluster import Cluster
from fakekafka.cluster.internal_topics import ensure, partition_for
from fakekafka.coordinators.groups.offsets.commits import Commit
from fakekafka.coordinators.groups.offsets.store import Committed
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.errors import ErrorCode, UsageError
from fakekafka.ids import Offset, TopicPartition
from fakekafka.state.topics import CONSUMER_OFFSETS


def commit_if(
    cluster: Cluster,
    group_id: str,
    place: TopicPartition,
    offset: Offset,
    expected: Offset | None,
) -> bool:
    """Commit `offset` if `expected` is committed now (None: nothing is). Returns whether it was committed. Raises
    `UsageError`.
    """
    if not 0 <= place[1] < 1 << 31 or not 0 <= offset < 1 << 63:
        raise UsageError(f"partition {place[1]}, offset {offset}: Kafka cannot have a record there")
    topic = ensure(cluster.running(min(cluster.brokers)), CONSUMER_OFFSETS) if cluster.brokers else None
    state = None if topic is None else topic.partition(partition_for(group_id, len(topic.partitions)))
    broker = None if state is None else cluster.brokers.get(state.leader)
    if broker is None or coordinators_of(broker).groups.status(group_id) is not ErrorCode.NONE:
        raise UsageError(f"no broker coordinates {group_id!r} now")
    current = coordinators_of(broker).groups.offset_manager.last_written(group_id, *place)
    if (None if current is None else current.offset) != expected:
        return False
    commit = Commit(*place, Committed(offset, -1, "", coordinators_of(broker).groups.now))
    (error,) = coordinators_of(broker).groups.offset_manager.store(group_id, [commit])
    if error is not ErrorCode.NONE:
        raise UsageError(f"the commit failed: {error.name}")
    return True
