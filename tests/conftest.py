"""Which tests share a process when pytest runs several (`pytest -n`): all those that need the one Spark."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from xdist.scheduler import LoadScopeScheduling

WITH_SPARK: Final = ("tests/pipeline/source/", "tests/pipeline/jobs/")
"""Where tests use the Spark session, which is a JVM of a gigabyte: one is enough."""


class OneSpark(LoadScopeScheduling):
    """Test by test wherever there is room, except that those with Spark go to one process."""

    def _split_scope(self, nodeid: str) -> str:
        return "spark" if nodeid.startswith(WITH_SPARK) else nodeid


def pytest_xdist_make_scheduler(config: pytest.Config, log: Callable[..., Any]) -> OneSpark:
    return OneSpark(config, log)
