"""Fixtures for tests of the server."""

import pytest

from tests.emulator.server.stand_ins import Handler


@pytest.fixture
def handler(monkeypatch: pytest.MonkeyPatch) -> Handler:
    """Stands in for every handler."""
    stand_in = Handler()
    monkeypatch.setattr("fakekafka.server.router.handler", lambda key: stand_in)
    return stand_in
