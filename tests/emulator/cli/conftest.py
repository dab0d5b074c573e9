"""What tests of commands share."""

import signal
from collections.abc import Iterator

import pytest
from fakekafka.cli.events import ENDING


@pytest.fixture
def handlers() -> Iterator[None]:
    """Restores the signal handlers that `serve` replaces."""
    there = [getattr(signal, name) for name in ENDING if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in there}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
