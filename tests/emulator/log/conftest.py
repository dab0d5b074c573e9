"""Directories for log tests: in memory, with and without a bound, and on disk; a partition must be sound when its test
is over.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakekafka.log.bounded_memory import BoundedDirectory, Overflow
from fakekafka.log.check import check
from fakekafka.log.files import Directory, DiskDirectory
from fakekafka.log.memory_files import MemoryDirectory


@pytest.fixture(params=["memory", "bounded memory", "disk"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Directory]:
    """An empty log directory."""
    if request.param == "memory":
        yield MemoryDirectory()
    elif request.param == "bounded memory":
        yield BoundedDirectory(Overflow(50))
    else:
        directory = DiskDirectory(tmp_path / "logs")
        yield directory
        directory.close()


@pytest.fixture
def directory(root: Directory) -> Iterator[Directory]:
    """An empty partition directory, which must be sound when the test is over."""
    partition = root.directory("orders-0")
    yield partition
    assert check(partition, compacted_to=1 << 62) == []  # some logs follow others that were compacted
