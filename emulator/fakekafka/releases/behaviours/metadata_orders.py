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
    Key,
)

_ANY_REF: Final = MapKind.SCALA_ANY_REF
_LONG: Final = MapKind.SCALA_LONG
_LONG_COPY: Final = MapKind.SCALA_LONG_COPY

Listed: TypeAlias = Literal["maps", "set of answers", "sorted"]


class MetadataOrdersBehaviour(Behaviours):
    """The order of the topics and partitions in answers of Metadata."""

    all_topics: Chain = history(
        {
            "0.8.0": (MUTABLE_2_12,),
            "0.9.0": (MUTABLE_2_12, MAP_2_12),
            "2.1": (_ANY_REF, MAP_2_12),
            "2.4": (_ANY_REF, MAP_2_13),
        },
        kraft={"2.8": (MUTABLE_2_13,)},
    )
    """What the names of all topics pass if none is asked for by its name."""

    named_topics: Chain = history({"0.8.0": (MAP_2_12,), "2.4": (MAP_2_13,)})
    """What the names pass that were asked for."""

    partitions_listed: Listed = history(
        {"0.8.0": "maps"}, kraft={"2.8": "sorted", "3.0": "set of answers", "4.3": "sorted"}
    )
    """How a topic's partitions are listed: as the broker's maps have them (`told`, `kept`), in the order of a hash set of
    what is answered about them, or by number."""

    told: Chain = history({"0.8.0": (MUTABLE_2_12,), "0.10.0": (JAVA,)})
    """What all partitions of a topic pass on their way from the controller (UpdateMetadataRequest)."""

    kept: Chain = history({"0.8.0": (MUTABLE_2_12,), "2.1": (_LONG, _LONG_COPY)})
    """What their numbers pass then. From 2.1 on, the broker copies what it knows whenever it is told something."""

    kept_newest: Chain = history({"0.8.0": (MUTABLE_2_12,), "2.1": (_LONG, _LONG_COPY), "2.6": (_LONG,)})
    """What the numbers of the newest topic pass: up to 2.5, brokers are told twice about it."""

    told_key: Key = history({"0.8.0": "TopicAndPartition", "0.10.0": "TopicPartition"})
    """The keys of `told`."""
