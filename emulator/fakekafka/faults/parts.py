"""Parts of messages: the topics and partitions of a request that a rule matches, and the others; errors put into
answers.

Nothing here knows an API by name: the shapes of the messages say where topics, partitions and errors are.
"""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from fakekafka.faults.subjects import (
    NOT_ABOUT,
    PARTITION_FIELDS,
    PARTITION_LISTS,
    TOPIC_FIELDS,
    TOPIC_NAME_LISTS,
    TopicNamed,
    partition_of,
    topic_of,
)
from fakekafka.handlers.refusal import Refused, error_field, error_values, lists_with_errors
from fakekafka.ids import PartitionIndex, TopicName
from fakekafka.wire.message import Struct

S = TypeVar("S", bound=Struct)
Wanted: TypeAlias = Callable[[TopicName, PartitionIndex | None], bool]
"""Whether a topic, or a partition of it, matches."""


def part(element: S, wanted: Wanted, named: TopicNamed, within: str = "", topic: TopicName | None = None) -> S | None:
    """A copy of a message that names only what is `wanted`; None if it names topics, none of which is wanted."""
    own = topic_of(element, within, named)
    topic = own if own is not None else topic
    values = dict(vars(element))
    named_any = kept_any = False
    for name, spec in element.FIELDS.items():
        value = values.get(name)
        if name in NOT_ABOUT or not value or not spec.is_array:
            continue
        kept = _kept(name, spec.struct is not None, value, wanted, named, topic)
        if kept is None:
            continue
        named_any = True
        kept_any = kept_any or bool(kept)
        values[name] = kept
    if named_any:
        return type(element)(**values) if kept_any else None
    if topic is not None and not wanted(topic, partition_of(element)):
        return None
    return type(element)(**values)


def _kept(
    name: str, of_structs: bool, value: Any, wanted: Wanted, named: TopicNamed, topic: TopicName | None
) -> list[Any] | None:
    """The elements of a list that are `wanted`; None if it is not about topics."""
    if of_structs:
        if topic is None and not any(_is_about_topics(each, name, named) for each in value):
            return None
        return [kept for each in value if (kept := part(each, wanted, named, name, topic)) is not None]
    if name in TOPIC_NAME_LISTS:
        return [each for each in value if wanted(each, None)]
    if name in PARTITION_LISTS and topic is not None:
        return [each for each in value if wanted(topic, each)]
    return None


def _is_about_topics(element: Struct, within: str, named: TopicNamed) -> bool:
    if topic_of(element, within, named) is not None:
        return True
    return any(
        _is_about_topics(each, name, named)
        for name, spec in element.FIELDS.items()
        if spec.struct is not None and spec.is_array and name not in NOT_ABOUT
        for each in getattr(element, name) or ()
    )


def joined(answer: S, other: S) -> S:
    """An answer completed with what `other` says about further topics and partitions."""
    values = dict(vars(answer))
    for name, spec in answer.FIELDS.items():
        more = getattr(other, name)
        if spec.is_array and more:
            values[name] = _joined_lists(list(values.get(name) or ()), more)
    return type(answer)(**values)


def _joined_lists(first: list[Any], more: list[Any]) -> list[Any]:
    for element in more:
        twin = next((n for n, each in enumerate(first) if _is_the_same_topic(each, element)), None)
        if twin is None:
            first.append(element)
        else:
            first[twin] = joined(first[twin], element)
    return first


def _is_the_same_topic(one: object, other: object) -> bool:
    if not isinstance(one, Struct) or not isinstance(other, Struct) or partition_of(one) is not None:
        return False
    names = [name for name, spec in one.FIELDS.items() if spec.kind in ("string", "uuid") and not spec.is_array]
    return bool(names) and all(getattr(one, name) == getattr(other, name) for name in names)


def with_errors(
    answer: S,
    version: int,
    refused: Refused,
    wanted: Wanted,
    named: TopicNamed,
    within: str = "",
    topic: TopicName | None = None,
) -> S:
    """An answer in which the innermost elements of what is `wanted` hold nothing but the error."""
    own = topic_of(answer, within, named)
    topic = own if own is not None else topic
    lists = lists_with_errors(type(answer), version)
    if topic is not None and not any(getattr(answer, name) for name, _ in lists):
        if error_field(type(answer), version) is None or not wanted(topic, partition_of(answer)):
            return answer
        shape = type(answer)
        named_by = {name: getattr(answer, name) for name in (*PARTITION_FIELDS, *TOPIC_FIELDS) if name in shape.FIELDS}
        return shape(**named_by, **error_values(shape, version, refused))
    values = dict(vars(answer))
    for name, _ in lists:
        elements = getattr(answer, name) or ()
        values[name] = [with_errors(each, version, refused, wanted, named, name, topic) for each in elements]
    return type(answer)(**values)
