"""For all tests: which of them share a process under `pytest -n`, and how property tests find examples.

Property tests take the same examples in every run, so that a run says something about the change and not about luck or
about how busy the machine is. `HYPOTHESIS_PROFILE=search pytest` tries new ones; with
`few` each tries ten, as `make coverage` does.
"""

import os
from collections.abc import Callable, Iterator
from functools import cached_property
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, Final

import fakekafka
import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

from tests.statements.coverage import coverage, table
from tests.support.cases import few_cases

settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", settings.get_profile("search"), derandomize=True)
settings.register_profile("few", settings.get_profile("same"), max_examples=10)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


@pytest.fixture(scope="session")
def whole_emulator() -> None:
    """Every module of the emulator is loaded."""
    for module in walk_packages(fakekafka.__path__, "fakekafka."):
        if not module.name.endswith("__main__"):
            import_module(module.name)


@pytest.fixture
def pytester(whole_emulator: None, pytester: pytest.Pytester) -> pytest.Pytester:
    """Runs of pytest inside a test, after which the modules that they have loaded are unloaded: none of the emulator's
    is among them, as it was loaded before. Of a module that is loaded twice, the rest of the emulator knows only the
    first one's classes.
    """
    return pytester


WITH_SPARK: Final = ("tests/pipeline/source/", "tests/pipeline/jobs/")
"""Where tests use the Spark session, a JVM of a gigabyte, of which one is enough."""


class OneSpark(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Distributes tests one by one to any free process, except that those with Spark all go to one.

    xdist's scheduler expects few scopes: after each test it counts all that its process ever had, and it looks for each
    test's number in the list of all. Here each test is a scope of its own, so that would cost more than most tests.
    """

    def _split_scope(self, nodeid: str) -> str:
        return "spark" if nodeid.startswith(WITH_SPARK) else nodeid

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """The number of each test, which is the same in all processes."""
        return {nodeid: number for number, nodeid in enumerate(self.collection)}

    def _assign_work_unit(self, node: Any) -> None:
        scope, unit = self.workqueue.popitem(last=False)
        self.assigned_work[node][scope] = unit
        node.send_runtest_some([self._numbers[nodeid] for nodeid, is_done in unit.items() if not is_done])

    def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
        """Forget a scope of which every test has run."""
        nodeid = self.collection[item_index]
        scope = self._split_scope(nodeid)
        unit = self.assigned_work[node][scope]
        unit[nodeid] = True
        if all(unit.values()):
            del self.assigned_work[node][scope]
        self._reschedule(node)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Callable[..., Any]) -> OneSpark:
    return OneSpark(config, log)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("statements", "statements of the design documents")
    group.addoption(
        "--statements",
        nargs="?",
        const="S",
        metavar="S0",
        help="run nothing; print each statement, how it is shown, and by which tests",
    )
    parser.addoption("--most-cases", type=int, metavar="N", help="of each test run N of its cases at most")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Keep some of the cases, before pytest-randomly shuffles them: which ones are kept depends on their order."""
    most: int | None = config.getoption("--most-cases")
    if most is not None:
        kept = few_cases([item.nodeid for item in items], most)
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in kept])
        items[:] = [item for item in items if item.nodeid in kept]
    yield


def pytest_collection_finish(session: pytest.Session) -> None:
    """Print the table instead of running the tests."""
    wanted: str | None = session.config.getoption("--statements")
    if wanted is not None:
        for line in table(coverage(session.items), wanted):
            print(line)
        session.items.clear()
