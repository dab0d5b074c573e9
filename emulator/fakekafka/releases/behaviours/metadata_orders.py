"""The order in which Metadata lists topics and their partitions: that of the maps in which a broker keeps what the
controller tells it, and of the sets in which it gathers the answer (`order_maps`; MetadataCache, KRaftMetadataCache,
KafkaApis).
"""

from typing import Final, Literal, TypeAlias

from fakekafka.jvm.chains import Chain
from fakekafka.jvm.maps import MapKind
from fakekafka.releases.behaviours.behaviour import Behaviours, history
from fakekafka.releases.behaviours.order_maps import (
    JAVA,
    MAP_2_12,
    MAP_2_13,
    MUTABLE_2_12,
    MUTABLE_2_13,
    NamedKey,
)

_ANY_REF: Final = MapKind.SCALA_ANY_REF

Listed: TypeAlias = Literal["maps", "set of answers", "sorted"]


class MetadataOrdersBehaviour(Behaviours):
    """The order of the topics and partitions in answers of Metadata."""

    brokers: Chain = history(
        {"0.8.0": (MAP_2_12,), "0.10.0": (MUTABLE_2_12,), "2.1": (MapKind.SCALA_LONG,)}, kraft={"2.8": (JAVA,)}
    )
    """What the ids of brokers pass, in Metadata and DescribeCluster (MetadataCache.getAliveBrokers). Recorded:
    canary, min-isr, followers, unclean."""

    all_topics: Chain = history(
        {"0.8.0": (MUTABLE_2_12,), "0.9.0": (MUTABLE_2_12, MAP_2_12), "2.1": (_ANY_REF,)}, kraft={"2.8": ()}
    )
    """What the names of all topics pass if none is asked for by its name. Recorded: handshake, odd_requests."""

    seen_topics: Chain = history(
        {"0.8.0": (), "2.1": (MAP_2_12,), "2.4": (MAP_2_13,)},
        kraft={"2.8": (MUTABLE_2_13,)},
    )
    """What those of them pass then that the client may see (KafkaApis.handleTopicMetadataRequest). Recorded:
    random_orders."""

    named_topics: Chain = history({"0.8.0": (MAP_2_12,), "2.4": (MAP_2_13,)})
    """What the names pass that were asked for. Recorded: internal_questions."""

    part_of_names: Chain = history({"0.8.0": (), "2.4": (MapKind.SCALA_2_13,)})
    """What some of these names pass if the whole set was not small: those that exist, or that the client may see. A
    part of a hash set of Scala 2.13 is one, too, even if it is small. Recorded: weighed_rules."""

    created_topics: Chain = history({"0.8.0": (), "2.8": (MUTABLE_2_13,)})
    """What the names pass of topics that the request creates; illegal names then come before them
    (AutoTopicCreationManager). If it is empty, they stay where they are. Recorded: controller_lost."""

    partitions_listed: Listed = history(
        {"0.8.0": "maps"}, kraft={"2.8": "sorted", "3.0": "set of answers", "4.3": "sorted"}
    )
    """How a topic's partitions are listed: as the broker's maps have them (`told`, `kept`), in the order of a hash set
    of what is answered about them, or by number. Recorded: offsets."""

    told: Chain = history({"0.8.0": (MUTABLE_2_12, MAP_2_12), "0.10.0": (JAVA,), "2.4": ()})
    """What partitions pass on their way from the controller that it announces together: all of them when a broker
    starts, and later those of one topic (ControllerBrokerRequestBatch, UpdateMetadataRequest). If several topics are
    created together, it is a matter of time how many of them it announces together. Recorded: storage_topics,
    random_orders."""

    told_map_stays: bool = history({"0.8.0": False, "2.4": True})
    """Whether they pass instead a mutable HashMap of Scala 2.13, which the controller clears for each telling, so that
    its table remains as large as it has ever been. Recorded from 2.4.1 to 2.6.3: random_orders."""

    told_topics: Chain = history({"0.8.0": (), "2.4": (MapKind.JAVA_COMPUTED,)})
    """What the names of their topics pass then (UpdateMetadataRequest.Builder). Recorded: random_orders."""

    kept: Literal["map", "long map"] = history({"0.8.0": "map", "2.1": "long map"})
    """What their numbers are put into then: a mutable HashMap of Scala; or a LongMap, which the broker copies whenever
    it is told something (MetadataSnapshot). Recorded: offsets."""

    newest_copied: bool = history({"0.8.0": True, "2.6": False})
    """Whether the map of the newest topic has been copied, too: brokers up to 2.5 are told twice about it.
    Recorded: internal_questions."""

    told_key: NamedKey = history({"0.8.0": "TopicAndPartition", "0.10.0": "TopicPartition"})
    """The keys of `told` (UpdateMetadataRequest)."""
