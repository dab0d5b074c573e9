"""The order in which coordinators have counted the votes for protocols: of the most popular, the first is chosen."""

from collections.abc import Collection
from typing import Final, Literal, TypeAlias, assert_never

from fakekafka.jvm.maps import MapKind, texts_in_order

VoteOrder: TypeAlias = Literal["scala 2.12", "scala 2.13", "java"]

SMALL: Final = 4
"""Immutable maps of Scala 2.12 up to this size keep the order of the mutable one from which they are made."""


def in_vote_order(protocols: Collection[str], order: VoteOrder) -> list[str]:
    """The protocols that have votes."""
    if len(protocols) < 2:
        return list(protocols)
    match order:
        case "scala 2.12":
            kind = MapKind.SCALA_2_12_MUTABLE if len(protocols) <= SMALL else MapKind.SCALA_2_12
        case "scala 2.13":
            kind = MapKind.SCALA_2_13
        case "java":
            kind = MapKind.JAVA
        case _:
            assert_never(order)
    return texts_in_order(protocols, kind)
