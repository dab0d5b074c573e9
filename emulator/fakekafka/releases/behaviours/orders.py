"""The order in which answers list topics, partitions and other things: that of the maps in which a broker gathers them.

A chain of maps (`jvm.chains`) says what the keys pass on their way from the request, or from the broker's state, to the
answer. Which of Scala's maps these are depends on the version of Scala; Kafka is published for several, and the
recordings are of 2.11 up to 0.10.1, of 2.12 up to 2.3, and of 2.13 from then on.
"""

from typing import Literal, NamedTuple, TypeAlias

from fakekafka.jvm.chains import Chain
from fakekafka.jvm.maps import MapKind
from fakekafka.releases.behaviours.behaviour import Behaviours, history

_JAVA = MapKind.JAVA
_COMPUTED = MapKind.JAVA_COMPUTED
_MAP_2_12 = MapKind.SCALA_2_12_MAP
_MUTABLE_2_12 = MapKind.SCALA_2_12_MUTABLE
_MAP_2_13 = MapKind.SCALA_2_13_MAP
_MUTABLE_2_13 = MapKind.SCALA_2_13_MUTABLE


class PartitionMaps(NamedTuple):
    """The maps between the partitions of a request and those of its answer. Empty chains keep the order."""

    asked: Chain = ()
    """What all partitions of the request pass."""
    answered: Chain = ()
    """What the results pass, after those that the broker adds last have been added."""
    topics: Chain = ()
    """What the topics pass, in the order of their first partitions."""
    indexes: Chain = ()
    """What the partitions of each topic pass, as numbers."""


Key: TypeAlias = Literal["TopicAndPartition", "TopicPartition", "TopicIdPartition"]
"""A partition as a key of a map: Scala's case class, Java's class, or the one with the topic's id, which is made up by
chance, so that the order is one of chance, too."""


class OrdersBehaviour(Behaviours):
    """The order of lists in answers (KafkaApis, and the classes of the requests and responses)."""

    produce: PartitionMaps = history(
        {
            "0.8.0": PartitionMaps((_MUTABLE_2_12,), (), (_MUTABLE_2_12, _MAP_2_12)),
            "0.9.0": PartitionMaps((_MUTABLE_2_12,) * 2, (), (_MUTABLE_2_12, _MAP_2_12)),
            "0.10.0": PartitionMaps((_JAVA, _MUTABLE_2_12), (_MAP_2_12,), (_JAVA,), (_JAVA,)),
            "0.10.2": PartitionMaps((_JAVA,), (_MAP_2_12,), (_JAVA,), (_JAVA,)),
            "1.0": PartitionMaps((_JAVA, _MUTABLE_2_12), (_MAP_2_12,), (_JAVA,), (_JAVA,)),
            "2.1": PartitionMaps((_JAVA, _MUTABLE_2_12), (_MAP_2_12,), (_COMPUTED,), (_JAVA,)),
            "2.4": PartitionMaps((_JAVA,), (_MUTABLE_2_13,), (_COMPUTED,), (_JAVA,)),
            "2.8": PartitionMaps((), (_MUTABLE_2_13,)),
            "3.6": PartitionMaps((_MUTABLE_2_13,), (_MAP_2_13,)),
        }
    )
    """Produce (ProduceRequest, ReplicaManager.appendRecords, ProduceResponse)."""

    produce_refused: Chain = history({"0.8.0": (_JAVA,), "2.8": (_COMPUTED,)})
    """What partitions pass if the whole request is refused (ProduceRequest.getErrorResponse)."""

    produce_key: Key = history({"0.8.0": "TopicAndPartition", "0.10.0": "TopicPartition", "4.1": "TopicIdPartition"})
    """The keys of these maps."""
