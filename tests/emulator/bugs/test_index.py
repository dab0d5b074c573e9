"""The index: one bug by its name, all of them, and what loading them costs."""

import subprocess
import sys

import pytest
from fakekafka.bugs import all_bugs, bug
from fakekafka.errors import UsageError


def test_a_bug_is_found_by_its_name() -> None:
    assert bug("KAFKA-6739").id == "KAFKA-6739"
    assert bug("whole-slice-0.10").id == "WHOLE-SLICE-0.10"
    assert all(bug(one.id) == one for one in all_bugs())


def test_an_unknown_name_is_refused_with_similar_ones() -> None:
    with pytest.raises(UsageError, match=r"no bug 'KAFKA-6738' is known here: did you mean .*KAFKA-6739"):
        bug("KAFKA-6738")
    with pytest.raises(UsageError, match="'fakekafka bugs' lists them"):
        bug("?")


def test_one_bug_loads_no_other() -> None:
    program = "import sys; from fakekafka.bugs import bug; bug('KAFKA-6739'); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = [name for name in done.stdout.split() if name.startswith("fakekafka.bugs.shelf.") and name.count(".") == 4]
    assert loaded == ["fakekafka.bugs.shelf.fetch.kafka_6739"]
