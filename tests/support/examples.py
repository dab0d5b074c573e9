"""How many examples a property test takes, where the usual hundred would be too many."""

from typing import Any

from hypothesis import settings


def at_most(count: int, **more: Any) -> settings:
    """So many examples, or as many as the profile says if that is fewer: `make coverage` has ten."""
    usual = settings.default
    assert usual is not None
    return settings(max_examples=min(count, usual.max_examples), **more)
