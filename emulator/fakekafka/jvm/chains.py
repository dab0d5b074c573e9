"""Keys as they come out of a chain of maps, each of which is filled from the one before."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeAlias, TypeVar

from fakekafka.ids import TopicPartition, Uuid
from fakekafka.jvm.hashes import MASK, java_hash, product_hash, topic_partition_hash, uuid_hash
from fakekafka.jvm.maps import MapKind, in_order, sorting

K = TypeVar("K", bound=Hashable)
Chain: TypeAlias = tuple[MapKind, ...]
"""The maps that keys pass, the first one first. An empty chain keeps the order."""


def through(chain: Chain, keys: Iterable[K], hash_of: Callable[[K], int]) -> list[K]:
    """Distinct keys as the last map of the chain gives them back. `hash_of`: unsigned, 32 bits wide."""
    ordered = list(keys)
    if not chain or len(ordered) < 2:
        return ordered
    codes = {key: hash_of(key) for key in ordered}
    for kind in chain:
        place = sorting(kind, len(ordered))
        if place is None:
            ordered = in_order([(codes[key], key) for key in ordered], kind)
        else:
            ordered.sort(key=_by(place, codes))
    return ordered


def _by(place: Callable[[int], int], codes: Mapping[K, int]) -> Callable[[K], int]:
    return lambda key: place(codes[key])


def texts_through(chain: Chain, texts: Iterable[str]) -> list[str]:
    """Texts, in the same way."""
    return through(chain, texts, text_hash)


def numbers_through(chain: Chain, numbers: Iterable[int]) -> list[int]:
    """Numbers of 32 bits, in the same way."""
    return through(chain, numbers, number_hash)


def text_hash(text: str) -> int:
    """String.hashCode."""
    return java_hash(text) & MASK


def number_hash(number: int) -> int:
    """Integer.hashCode."""
    return number & MASK


def place_hash(place: TopicPartition) -> int:
    """TopicPartition.hashCode, of Java's class."""
    return topic_partition_hash(*place)


def id_place_hash(topic_id: Uuid, place: TopicPartition) -> int:
    """TopicIdPartition.hashCode."""
    return (31 * (31 + uuid_hash(topic_id)) + topic_partition_hash(*place)) & MASK


def message_hash(numbers: Iterable[int], lists: Iterable[Sequence[int]]) -> int:
    """The hashCode of a message that Kafka's generator made of numbers and, after them, lists of numbers."""
    value = 0
    for number in numbers:
        value = 31 * value + number
    for of_list in lists:
        code = 1
        for number in of_list:
            code = 31 * code + number
        value = 31 * value + code
    return value & MASK


def case_class_hash(place: TopicPartition) -> int:
    """TopicAndPartition.hashCode, of the case class in Scala that brokers up to 0.9 use."""
    return product_hash(java_hash(place[0]), place[1])
