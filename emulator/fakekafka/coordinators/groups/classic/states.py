"""The states of a classic group, and which may follow which, as one table (GroupMetadata, ClassicGroupState).

    EMPTY ──first member──▶ PREPARING_REBALANCE ──all joined, or time up──▶ COMPLETING_REBALANCE
                              ▲        │ none left                           │ leader's SyncGroup
                              │        ▼                                     ▼
                              │      EMPTY ◀── (0.9, 0.10.0: DEAD)         STABLE
                              └───────────── a member joins, leaves or fails ─┘

DEAD is the end: the group is forgotten. Up to 0.10.0 there is no EMPTY: a group without members is dead at once, and a
new one begins as STABLE.
"""

from enum import Enum
from typing import Final


class State(Enum):
    """Values are the names in DescribeGroups and ListGroups; COMPLETING_REBALANCE had another one up to 1.0."""

    EMPTY = "Empty"
    PREPARING_REBALANCE = "PreparingRebalance"
    COMPLETING_REBALANCE = "CompletingRebalance"
    STABLE = "Stable"
    DEAD = "Dead"


BEFORE: Final[dict[State, frozenset[State]]] = {
    State.EMPTY: frozenset({State.PREPARING_REBALANCE}),
    State.PREPARING_REBALANCE: frozenset({State.EMPTY, State.COMPLETING_REBALANCE, State.STABLE}),
    State.COMPLETING_REBALANCE: frozenset({State.PREPARING_REBALANCE}),
    State.STABLE: frozenset({State.COMPLETING_REBALANCE}),
    State.DEAD: frozenset(State),
}
"""What a group must be in to become something."""
