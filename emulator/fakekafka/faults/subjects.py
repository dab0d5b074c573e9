"""What a request is about: the topics, partitions, groups and transactional ids that its fields name.

The shapes of the messages tell: fields called `topic`, `topic_name` or `topic_id`, and `name` in a list of topics. So
the answer holds for every API and version without a table of its own.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, TypeAlias

from fakekafka.ids import ZERO_UUID, ApiKey, PartitionIndex, TopicName, Uuid
from fakekafka.wire.message import Message, Request, Struct

TopicNamed: TypeAlias = Callable[[Uuid], TopicName | None]
"""The name of the topic that has an id; None if there is no such topic."""

TOPIC_FIELDS: Final = ("topic", "topic_name", "topic_id")
TOPIC_LISTS: Final = ("topics", "topic_data", "v3_and_below_topics", "responses", "topic_partitions")
"""Lists whose elements call their topic `name`."""
TOPIC_NAME_LISTS: Final = ("topic_names", "subscribed_topic_names")
PARTITION_FIELDS: Final = ("partition", "partition_index", "partition_id", "index")
PARTITION_LISTS: Final = ("partitions", "partition_indexes")
GROUP_FIELDS: Final = ("group_id",)
GROUP_LISTS: Final = ("groups", "groups_names", "group_ids")
TRANSACTIONAL_FIELDS: Final = ("transactional_id", "v3_and_below_transactional_id")
TRANSACTIONAL_LISTS: Final = ("transactional_ids",)
NOT_ABOUT: Final = ("forgotten_topics_data", "configs", "topology")
"""Lists that name topics without acting on them, or no topics at all."""
GROUP_KEY: Final = 0
TRANSACTION_KEY: Final = 1
"""What FindCoordinator asks for, by its key type (KIP-98)."""


class TopicOrPartition(NamedTuple):
    """A topic that a request names, and the partition of it; `partition` None: the topic as a whole."""

    topic: TopicName
    partition: PartitionIndex | None


class Subjects(NamedTuple):
    """Everything that a request names."""

    places: tuple[TopicOrPartition, ...]
    groups: tuple[str, ...]
    transactional_ids: tuple[str, ...]


def subjects(message: Message, named: TopicNamed) -> Subjects:
    """What a request or an answer is about. Topic ids that are not known are left out."""
    if isinstance(message, Request) and message.KEY == ApiKey.FIND_COORDINATOR:
        return _looked_up(message)
    return Subjects(
        tuple(_places(message, "", named)),
        tuple(_texts(message, GROUP_FIELDS, GROUP_LISTS)),
        tuple(_texts(message, TRANSACTIONAL_FIELDS, TRANSACTIONAL_LISTS)),
    )


def topic_of(element: Struct, within: str, named: TopicNamed) -> TopicName | None:
    """The topic that an element of the list `within` names itself, or None."""
    for field in TOPIC_FIELDS:
        value = getattr(element, field, None) if field in element.FIELDS else None
        if isinstance(value, bytes) and value != ZERO_UUID:
            return named(value)
        if isinstance(value, str) and value:
            return value
    name = getattr(element, "name", None) if within in TOPIC_LISTS and "name" in element.FIELDS else None
    return name if isinstance(name, str) and name else None


def partition_of(element: Struct) -> PartitionIndex | None:
    """The partition that an element names itself, or None."""
    for field in PARTITION_FIELDS:
        if field in element.FIELDS and element.FIELDS[field].kind == "int32":
            found: PartitionIndex = getattr(element, field)
            return found
    return None


def names_topics(cls: type[Struct], within: str = "") -> bool:
    """Whether messages of this class can name a topic."""
    return any(
        name in TOPIC_FIELDS
        or name in TOPIC_NAME_LISTS
        or (name == "name" and within in TOPIC_LISTS)
        or (spec.struct is not None and name not in NOT_ABOUT and names_topics(spec.struct, name))
        for name, spec in cls.FIELDS.items()
    )


def names_groups(cls: type[Struct]) -> bool:
    """Whether messages of this class can name a group."""
    return _can_name(cls, GROUP_FIELDS, GROUP_LISTS) or getattr(cls, "KEY", None) == ApiKey.FIND_COORDINATOR


def names_transactions(cls: type[Struct]) -> bool:
    """Whether messages of this class can name a transactional id."""
    found = _can_name(cls, TRANSACTIONAL_FIELDS, TRANSACTIONAL_LISTS)
    return found or getattr(cls, "KEY", None) == ApiKey.FIND_COORDINATOR


def _can_name(cls: type[Struct], fields: tuple[str, ...], lists: tuple[str, ...]) -> bool:
    return any(
        name in fields or name in lists or (spec.struct is not None and _can_name(spec.struct, fields, lists))
        for name, spec in cls.FIELDS.items()
    )


def _looked_up(request: Request) -> Subjects:
    """The keys that FindCoordinator looks up: one up to version 3, several from version 4 on."""
    values = vars(request)
    keys = tuple(values.get("coordinator_keys") or (values.get("key", ""),))
    key_type = values.get("key_type", GROUP_KEY)
    return Subjects((), keys if key_type == GROUP_KEY else (), keys if key_type == TRANSACTION_KEY else ())


def _places(
    element: Struct, within: str, named: TopicNamed, topic: TopicName | None = None
) -> Iterator[TopicOrPartition]:
    own = topic_of(element, within, named)
    topic = own if own is not None else topic
    partition = partition_of(element)
    if topic is not None and partition is not None:
        yield TopicOrPartition(topic, partition)
        return
    inner = list(_inner_places(element, named, topic))
    if inner:
        yield from inner
    elif topic is not None:
        yield TopicOrPartition(topic, None)


def _inner_places(element: Struct, named: TopicNamed, topic: TopicName | None) -> Iterator[TopicOrPartition]:
    for name, spec in element.FIELDS.items():
        value = getattr(element, name)
        if name in NOT_ABOUT or not value:
            continue
        if spec.struct is not None:
            for each in value if spec.is_array else (value,):
                yield from _places(each, name, named, topic)
        elif spec.is_array and name in TOPIC_NAME_LISTS:
            yield from (TopicOrPartition(each, None) for each in value)
        elif spec.is_array and spec.kind == "int32" and name in PARTITION_LISTS and topic is not None:
            yield from (TopicOrPartition(topic, each) for each in value)


def _texts(element: Struct, fields: tuple[str, ...], lists: tuple[str, ...]) -> Iterator[str]:
    for name, spec in element.FIELDS.items():
        value = getattr(element, name)
        if not value:
            continue
        if spec.struct is not None:
            for each in value if spec.is_array else (value,):
                yield from _texts(each, fields, lists)
        elif name in fields and isinstance(value, str):
            yield value
        elif name in lists and spec.is_array and spec.kind == "string":
            yield from value
