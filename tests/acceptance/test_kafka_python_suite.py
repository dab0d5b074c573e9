"""A broker that does not start is reported at once, without waiting."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.acceptance.kafka_python_source import SERVICE
from tests.acceptance.processes import LaneBroken, address_of

SILENT = "import threading; threading.Event().wait()"
"""A broker that never says where it listens."""


@pytest.fixture
def service() -> dict[str, Any]:
    """The stand-in for kafka-python's module that starts processes."""
    found: dict[str, Any] = {}
    exec(SERVICE, found)
    return found


def program(text: str) -> list[str]:
    return [sys.executable, "-c", text]


def test_the_stand_in_finds_the_address(service: dict[str, Any]) -> None:
    broker = service["SpawnedService"](program(f"print('127.0.0.1:9 ready', flush=True); {SILENT}"))
    broker.start()
    broker.stop()
    assert broker.address == "127.0.0.1:9"


def test_the_stand_in_says_why_a_broker_did_not_start(service: dict[str, Any]) -> None:
    broker = service["SpawnedService"](program("import sys; sys.exit('no key store')"))
    with pytest.raises(RuntimeError, match="status 1: no key store"):
        broker.start()


def test_the_stand_in_does_not_wait_for_ever(service: dict[str, Any]) -> None:
    service["LIMIT_S"] = 0.2
    broker = service["SpawnedService"](program(SILENT))
    with pytest.raises(RuntimeError, match=r"no broker within 0\.2 s"):
        broker.start()


@pytest.fixture
def started(request: pytest.FixtureRequest) -> Iterator["subprocess.Popen[str]"]:
    with subprocess.Popen(program(request.param), stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


@pytest.mark.parametrize("started", ["print('127.0.0.1:9 ready')"], indirect=True)
def test_the_lane_finds_the_address(started: "subprocess.Popen[str]") -> None:
    assert address_of(started) == "127.0.0.1:9"


@pytest.mark.parametrize("started", ["raise SystemExit(2)", SILENT], indirect=True)
def test_the_lane_says_that_a_broker_did_not_start(started: "subprocess.Popen[str]") -> None:
    with pytest.raises(LaneBroken, match=r"did not start within 0\.5 s, or ended: status"):
        address_of(started, 0.5)
