"""For all tests: which of them share a process under `pytest -n`, and how property tests find examples.

Property tests take the same examples in every run, so that a run says something about the change and not about luck or
about how busy the machine is. `HYPOTHESIS_PROFILE=search pytest` tries new ones; with
`few` each tries ten, as `make coverage` does.
"""

import os
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

from tests.statements.coverage import coverage, table
from tests.support.cases import few_cases

settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", settings.get_profile("search"), derandomize=True)
settings.register_profile("few", settings.get_profile("same"), max_examples=10)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

WITH_SPARK: Final = ("tests/pipeline/source/", "tests/pipeline/jobs/")
"""Where tests use the Spark session, which is a JVM of a gigabyte: one is enough."""


class OneSpark(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Distributes tests one by one to any free process, except that those with Spark all go to one."""

    def _split_scope(self, nodeid: str) -> str:
        return "spark" if nodeid.startswith(WITH_SPARK) else nodeid


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
    """The table takes the place of the tests."""
    wanted: str | None = session.config.getoption("--statements")
    if wanted is not None:
        for line in table(coverage(session.items), wanted):
            print(line)
        session.items.clear()
