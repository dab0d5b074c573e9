"""The server-side assignors: which member is to have which partitions.

They see the members in the order of the coordinator's map, and each member's previous target; the same input gives the
same result in every broker of a release.

ranges            RangeAssignor
uniform           UniformAssignor
uniform_balance   the latter for members that subscribe to different topics
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from fakekafka.coordinators.groups.consumer.group import Assignment
from fakekafka.ids import Uuid

UNIFORM: Final = "uniform"
RANGE: Final = "range"


class Candidate(NamedTuple):
    """A member as an assignor sees it."""

    id: str
    instance_id: str | None
    topics: frozenset[Uuid]
    had: Assignment
    """Its previous target assignment."""


class Question(NamedTuple):
    """The input of an assignor."""

    members: Sequence[Candidate]
    homogeneous: bool
    """Whether all of them subscribe to the same topics."""
    partitions: Mapping[Uuid, int]
    """The number of partitions of each subscribed topic."""


Answer: TypeAlias = dict[str, Assignment]
Assignor: TypeAlias = Callable[[Question], Answer]
