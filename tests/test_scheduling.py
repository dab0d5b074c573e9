"""Which tests go to which process under `pytest -n`."""

from collections import deque
from types import SimpleNamespace
from typing import Any

import pytest

from tests.conftest import WITH_SPARK, OneSpark

SPARK = [f"{WITH_SPARK[0]}test_reader.py::test_{n}" for n in range(5)]
OTHERS = [f"tests/emulator/test_it.py::test_many[{n}]" for n in range(40)]
IDS = [*OTHERS[:20], *SPARK, *OTHERS[20:]]


class Process:
    """A worker: the numbers of the tests that it is to run, and the ids of those that it has run."""

    def __init__(self, name: str) -> None:
        self.gateway = SimpleNamespace(id=name)
        self.shutting_down = False
        self.waiting: deque[int] = deque()
        self.ran: list[str] = []

    def send_runtest_some(self, numbers: list[int]) -> None:
        self.waiting.extend(numbers)

    def shutdown(self) -> None:
        self.shutting_down = True


def scheduled(config: pytest.Config, count: int) -> tuple[Any, list[Process]]:
    """A scheduler that has given the first tests to this many processes."""
    scheduler = OneSpark(config, SimpleNamespace(loadscopesched=lambda *_: None))
    scheduler.numnodes = count
    processes = [Process(f"gw{n}") for n in range(count)]
    for process in processes:
        scheduler.add_node(process)
        scheduler.add_node_collection(process, IDS)
    scheduler.schedule()
    return scheduler, processes


def step(scheduler: Any, process: Process) -> None:
    if process.waiting:
        number = process.waiting.popleft()
        process.ran.append(IDS[number])
        scheduler.mark_test_complete(process, number)


@pytest.fixture
def config(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> pytest.Config:
    """The options that the scheduler reads, whether or not these tests run under xdist."""
    config = request.config
    monkeypatch.setattr(config.option, "tx", ["2*popen"])
    monkeypatch.setattr(config.option, "loadscopereorder", True, raising=False)
    return config


def test_every_test_runs_once_and_tests_with_spark_in_one_process(config: pytest.Config) -> None:
    scheduler, processes = scheduled(config, 3)
    while not scheduler.tests_finished or any(process.waiting for process in processes):
        for process in processes:
            step(scheduler, process)
    assert sorted(id for process in processes for id in process.ran) == sorted(IDS)
    assert sorted(len(set(process.ran) & set(SPARK)) for process in processes) == [0, 0, 5]
    assert not scheduler.has_pending


def test_the_remaining_tests_of_a_process_that_died_go_to_another(config: pytest.Config) -> None:
    scheduler, (dying, other) = scheduled(config, 2)
    for _ in range(3):
        step(scheduler, dying)
    crashed = IDS[dying.waiting[0]]
    assert scheduler.remove_node(dying) == crashed
    while other.waiting:
        step(scheduler, other)
    assert sorted(dying.ran + other.ran) == sorted(IDS)
