"""The order in which a broker creates the logs of new partitions, which decides where each of them goes if it has
several log directories.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fakekafka.ids import TopicName
from fakekafka.jvm.chains import through
from fakekafka.jvm.hashes import hosted_partition_hash, topic_partition_hash
from fakekafka.state.topics import PartitionState

if TYPE_CHECKING:
    from fakekafka.releases.profile import Profile


def as_hosted(topic: TopicName, states: Sequence[PartitionState], profile: "Profile") -> list[PartitionState]:
    """New partitions of a topic, as the release takes them from its maps."""
    code = topic_partition_hash if profile.has_quorum else hosted_partition_hash
    by_index = {state.index: state for state in states}
    maps = profile.admin_orders.hosting_maps
    return [by_index[index] for index in through(maps, by_index, lambda index: code(topic, index))]
