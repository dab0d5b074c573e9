"""The maps through which brokers put what an answer lists: the words in which the behaviours of orders speak.

A chain of maps (`jvm.chains`) says what the keys pass on their way from the request, or from the broker's state, to the
answer. Which of Scala's maps these are depends on the version of Scala; Kafka is published for several, and the
recordings are of 2.11 up to 0.10.1, of 2.12 up to 2.3, and of 2.13 from then on.
"""

from typing import Final, Literal, NamedTuple, TypeAlias

from fakekafka.jvm.chains import Chain
from fakekafka.jvm.maps import MapKind

JAVA: Final = MapKind.JAVA
COPY: Final = MapKind.JAVA_COPY
COMPUTED: Final = MapKind.JAVA_COMPUTED
CONCURRENT: Final = MapKind.JAVA_CONCURRENT
SIZED: Final = MapKind.JAVA_SIZED
PUT_ALL: Final = MapKind.JAVA_PUT_ALL
TIMELINE: Final = MapKind.TIMELINE
PERSISTENT: Final = MapKind.PERSISTENT
TREE: Final = MapKind.JAVA_TREE
MAP_2_12: Final = MapKind.SCALA_2_12_MAP
MUTABLE_2_12: Final = MapKind.SCALA_2_12_MUTABLE
MAP_2_13: Final = MapKind.SCALA_2_13_MAP
HASH_2_13: Final = MapKind.SCALA_2_13
MUTABLE_2_13: Final = MapKind.SCALA_2_13_MUTABLE


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
    grouped: Chain = ()
    """What the partitions of each topic pass, with their topic."""
    late_apart: bool = False
    """Whether what the broker adds last is not put into maps, but follows all topics."""
    first: Chain = ()
    """What those results pass by themselves that are there first, before others are added to them."""
    later: Chain = ()
    """What those results pass by themselves that the broker adds later, each kind of them."""
    parted_last: bool = False
    """Whether also what is not shown passes these maps, and is left out afterwards."""


class NameMaps(NamedTuple):
    """The maps between the names in a request and those in its answer."""

    asked: Chain = ()
    """What all names of the request pass."""
    refused: Chain = ()
    """What those pass then that are refused before anything is looked at."""
    answered: Chain = ()
    """What the results pass, together with the refused ones."""
    refused_first: bool = False
    """Whether the refused ones come before the others, not after them."""
    in_place: bool = False
    """Whether the answer has all names where the request has them, refused or not."""


AS_ASKED: Final = PartitionMaps()
"""No maps: the order of the request."""

NamedKey: TypeAlias = Literal["TopicAndPartition", "TopicPartition"]
"""A partition as a key of a map: Scala's case class, or Java's class."""
Key: TypeAlias = NamedKey | Literal["TopicIdPartition"]
"""The latter is Java's class with the topic's id, which is made up by chance, and so is the order."""
CommitKey: TypeAlias = NamedKey | Literal["TopicIdPartition without id"]
"""The keys of maps of commits: where they could have an id of the topic, it is left out."""
