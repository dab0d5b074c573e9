"""How many examples a property test takes, where the usual hundred would be too many."""

from typing import Any

from hypothesis import settings


def at_most(count: int, **more: Any) -> settings:
    """This many examples, or fewer if the profile has fewer: `make coverage` has ten."""
    usual = settings.default
    assert usual is not None
    return settings(max_examples=min(count, usual.max_examples), **more)
