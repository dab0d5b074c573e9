import subprocess
import sys

import pytest
from fakekafka import FakeKafka


@pytest.fixture
def broken(tmp_path):
    """A log directory in which one byte of the last batch is wrong."""
    with FakeKafka("2.3", log_dir=tmp_path / "logs", topics={"orders": 1}) as kafka:
        for value in (b"two apples", b"two pears", b"a plum"):
            kafka.send("orders", value)
        assert kafka.damage("orders") == 2
    return tmp_path / "logs"


def fakekafka(*arguments):
    command = [sys.executable, "-m", "fakekafka", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_check_names_the_damaged_batch(broken):
    checked = fakekafka("check", broken)
    assert checked.returncode == 1
    assert "orders-0" in checked.stdout


def test_dump_shows_what_can_still_be_read(broken):
    (segment,) = broken.rglob("orders-0/*.log")
    dumped = fakekafka("dump", segment)
    assert "two apples" in dumped.stdout
    assert "two pears" in dumped.stdout
