"""How fast a cluster does what clients wait for: `FakeKafka(pace=...)`."""

from typing import Final, Literal, TypeAlias, get_args

from fakekafka.errors import UsageError

Pace: TypeAlias = Literal["instant", "lifelike"]
"""At once; or a moment later, as real clusters do it."""

WITH_KAFKAS_DEFAULTS: Final = frozenset({"group.initial.rebalance.delay.ms"})
"""Configs that have a default of ours because tests need not wait. A lifelike cluster has Kafka's."""


def check_pace(pace: str) -> None:
    """Check that it is one of the two words. Raises `UsageError` if not."""
    if pace not in get_args(Pace):
        raise UsageError(f"pace={pace!r}: use one of {', '.join(get_args(Pace))}")
