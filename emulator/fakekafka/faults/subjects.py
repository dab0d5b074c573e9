"""What a request is about: the topics, partitions, groups and transactional ids that its fields name.

The shapes of the messages show it: fields called `topic`, `topic_name` or `topic_id`, and `name` in a list of topics.
So this works for every API and version, without a table for each.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar, cast

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


F = TypeVar("F", bound=Callable[..., Any])


def cached(function: F) -> F:
    """`functools.cache` with the function's own type: the type of `cache` rejects classes of messages."""
    return cast(F, cache(function))


class TopicOrPartition(NamedTuple):
    """A topic that a request names, and its partition; `partition` None: the topic as a whole."""

    topic: TopicName
    partition: PartitionIndex | None


class Subjects(NamedTuple):
    """Everything that a request names."""

    places: tuple[TopicOrPartition, ...]
    groups: tuple[str, ...]
    transactional_ids: tuple[str, ...]


def subjects(message: Message, named: TopicNamed) -> Subjects:
    """What a request or an answer is about. Unknown topic ids are left out."""
    if isinstance(message, Request) and message.KEY == ApiKey.FIND_COORDINATOR:
        return _looked_up(message)
    cls = type(message)
    return Subjects(
        tuple(_places(message, "", named)) if names_topics(cls) else (),
        tuple(_texts(message, GROUP_FIELDS, GROUP_LISTS)) if names_groups(cls) else (),
        tuple(_texts(message, TRANSACTIONAL_FIELDS, TRANSACTIONAL_LISTS)) if names_transactions(cls) else (),
    )


class Layout(NamedTuple):
    """Where a class of elements names what it is about."""

    topics: tuple[str, ...]
    """Fields that may name its topic; the first that is set counts."""
    partition: str | None
    """The field with its partition."""
    elements: tuple[tuple[str, bool], ...]
    """Fields with further elements, and whether it is a list of them."""
    topic_names: tuple[str, ...]
    """Lists of names of topics."""
    partitions: tuple[str, ...]
    """Lists of partitions of its topic."""


@cached
def layout(cls: type[Struct], within: str) -> Layout:
    """The layout of the elements of the list `within`."""
    specs = {name: spec for name, spec in cls.FIELDS.items() if name not in NOT_ABOUT}
    by_name = ("name",) if within in TOPIC_LISTS and "name" in cls.FIELDS else ()
    arrays = {name: spec for name, spec in specs.items() if spec.is_array and spec.struct is None}
    return Layout(
        (*(name for name in TOPIC_FIELDS if name in cls.FIELDS), *by_name),
        next((name for name in PARTITION_FIELDS if name in cls.FIELDS and cls.FIELDS[name].kind == "int32"), None),
        tuple((name, spec.is_array) for name, spec in specs.items() if spec.struct is not None),
        tuple(name for name in arrays if name in TOPIC_NAME_LISTS),
        tuple(name for name, spec in arrays.items() if spec.kind == "int32" and name in PARTITION_LISTS),
    )


def topic_of(element: Struct, within: str, named: TopicNamed) -> TopicName | None:
    """The topic that an element of the list `within` names itself, or None."""
    for field in layout(type(element), within).topics:
        value = getattr(element, field, None)
        if isinstance(value, bytes) and value != ZERO_UUID:
            return named(value)
        if isinstance(value, str) and value:
            return value
    return None


def partition_of(element: Struct) -> PartitionIndex | None:
    """The partition that an element names itself, or None."""
    field = layout(type(element), "").partition
    return None if field is None else getattr(element, field)


@cached
def names_topics(cls: type[Struct], within: str = "") -> bool:
    """Whether messages of this class can name a topic."""
    return any(
        name in TOPIC_FIELDS
        or name in TOPIC_NAME_LISTS
        or (name == "name" and within in TOPIC_LISTS)
        or (spec.struct is not None and name not in NOT_ABOUT and names_topics(spec.struct, name))
        for name, spec in cls.FIELDS.items()
    )


def topics_named(request: Message) -> Sequence[TopicName]:
    """The topics of a request whose one list names each as text; empty for other requests, and for topics by id."""
    where = _topic_list(type(request))
    if where is None:
        return ()
    name, text, id = where
    elements = getattr(request, name) or ()
    names = [getattr(each, text) for each in elements if not id or getattr(each, id) == ZERO_UUID]
    return names if all(names) and len(names) == len(elements) else ()


@cached
def _topic_list(cls: type[Struct]) -> tuple[str, str, str] | None:
    """The one list that names topics, and the fields of its elements that do so as text and by id; "" for no id."""
    own = layout(cls, "")
    about = [name for name, _ in own.elements if names_topics(_struct(cls, name), name)]
    if len(about) != 1 or not cls.FIELDS[about[0]].is_array or own.topics or own.topic_names:
        return None
    element = _struct(cls, about[0])
    by_kind = {element.FIELDS[field].kind: field for field in layout(element, about[0]).topics}
    return (about[0], by_kind["string"], by_kind.get("uuid", "")) if "string" in by_kind else None


def _struct(cls: type[Struct], name: str) -> type[Struct]:
    """The class of the elements of a field."""
    struct = cls.FIELDS[name].struct
    assert struct is not None
    return struct


@cached
def names_groups(cls: type[Struct]) -> bool:
    """Whether messages of this class can name a group."""
    return _can_name(cls, GROUP_FIELDS, GROUP_LISTS) or getattr(cls, "KEY", None) == ApiKey.FIND_COORDINATOR


@cached
def names_transactions(cls: type[Struct]) -> bool:
    """Whether messages of this class can name a transactional id."""
    can_name = _can_name(cls, TRANSACTIONAL_FIELDS, TRANSACTIONAL_LISTS)
    return can_name or getattr(cls, "KEY", None) == ApiKey.FIND_COORDINATOR


@cached
def _can_name(cls: type[Struct], fields: tuple[str, ...], lists: tuple[str, ...]) -> bool:
    return any(
        name in fields or name in lists or (spec.struct is not None and _can_name(spec.struct, fields, lists))
        for name, spec in cls.FIELDS.items()
    )


def _looked_up(request: Request) -> Subjects:
    """The keys that FindCoordinator looks up: one key up to version 3, several from version 4 on."""
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
    inner = list(_inner_places(element, within, named, topic))
    if inner:
        yield from inner
    elif topic is not None:
        yield TopicOrPartition(topic, None)


def _inner_places(
    element: Struct, within: str, named: TopicNamed, topic: TopicName | None
) -> Iterator[TopicOrPartition]:
    where = layout(type(element), within)
    for name, is_array in where.elements:
        if value := getattr(element, name):
            for each in value if is_array else (value,):
                yield from _places(each, name, named, topic)
    for name in where.topic_names:
        yield from (TopicOrPartition(each, None) for each in getattr(element, name) or ())
    if topic is not None:
        for name in where.partitions:
            yield from (TopicOrPartition(topic, each) for each in getattr(element, name) or ())


def _texts(element: Struct, fields: tuple[str, ...], lists: tuple[str, ...]) -> Iterator[str]:
    for name, spec in element.FIELDS.items():
        value = getattr(element, name)
        if not value:
            continue
        if spec.struct is not None:
            if not _can_name(spec.struct, fields, lists):
                continue
            for each in value if spec.is_array else (value,):
                yield from _texts(each, fields, lists)
        elif name in fields and isinstance(value, str):
            yield value
        elif name in lists and spec.is_array and spec.kind == "string":
            yield from value
