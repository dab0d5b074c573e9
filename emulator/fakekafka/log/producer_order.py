"""In which order a broker's map of producers gives them back: into snapshots, and to DescribeProducers.

It follows from the ids' hash codes and from the kind of map: a mutable HashMap of Scala, whose tables 2.13 built anew,
or one of Java. Nothing depends on it but bytes. Assumed is that nobody was ever removed, which leaves larger tables.
"""

from collections.abc import Iterable
from typing import Final, Literal

from fakekafka.ids import ProducerId

ProducerOrder = Literal["scala 2.12", "scala 2.13", "java"]

MASK: Final = 0xFFFFFFFF
FIRST_TABLE: Final = 16
MIXER: Final = 0x9E3775CD
"""Of scala.util.hashing.byteswap32."""
SEED: Final = 4
"""By how many bits Scala 2.12 turns its mixed hash codes: the bits of the first table's places, for ever."""


def in_order(ids: Iterable[ProducerId], kind: ProducerOrder) -> list[ProducerId]:
    """`ids`, which come in the order in which they were first seen, as the map gives them back."""
    known = list(ids)
    if kind == "scala 2.12":
        return _old_table(known)
    size = FIRST_TABLE
    while len(known) > size * 3 // 4 - (kind == "scala 2.13"):
        size *= 2
    buckets: list[list[ProducerId]] = [[] for _ in range(size)]
    for producer_id in known:
        buckets[_spread(producer_id) & size - 1].append(producer_id)
    if kind == "scala 2.13":
        for bucket in buckets:
            bucket.sort(key=_spread)
    return [producer_id for bucket in buckets for producer_id in bucket]


def _old_table(ids: list[ProducerId]) -> list[ProducerId]:
    """The newest is first in its bucket, the last bucket is given back first, and growing turns buckets round."""
    size = FIRST_TABLE
    table: list[list[ProducerId]] = [[] for _ in range(size)]
    for count, producer_id in enumerate(ids, 1):
        table[_old_place(producer_id, size)].insert(0, producer_id)
        if count > size * 3 // 4:
            size *= 2
            before, table = table, [[] for _ in range(size)]
            for moved in (each for bucket in reversed(before) for each in bucket):
                table[_old_place(moved, size)].insert(0, moved)
    return [producer_id for bucket in reversed(table) for producer_id in bucket]


def _old_place(producer_id: ProducerId, size: int) -> int:
    """HashTable.index of Scala 2.12: the highest bits of a hash code that was mixed and turned."""
    mixed = hash_of(producer_id) * MIXER & MASK
    mixed = int.from_bytes(mixed.to_bytes(4, "big"), "little") * MIXER & MASK
    turned = (mixed >> SEED | mixed << 32 - SEED) & MASK
    return turned >> 32 - (size.bit_length() - 1)


def _spread(producer_id: ProducerId) -> int:
    hashed = hash_of(producer_id)
    return hashed ^ hashed >> 16


def hash_of(producer_id: ProducerId) -> int:
    """Long.hashCode, in 32 bits without sign. (Scala hashes negative numbers otherwise; ids are not negative.)"""
    return (producer_id ^ producer_id >> 32) & MASK
