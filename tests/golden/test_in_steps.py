"""Brokers that read, handle and write every request in the smallest steps answer as real ones did, too."""

from pathlib import Path
from typing import Final

import pytest

from tests.golden.run import run
from tests.golden.test_recordings import cases, check
from tests.golden.transcript import load, names
from tests.support.smallest_steps import smallest_steps

ALSO: Final = ("2.0.1-storage_topics", "0.11.0.3-random_quotas--seed25")
ONE_OF: Final = 25
"""One of this many recordings is replayed, and one in which a broker halts, and one with quotas that come later."""


@pytest.mark.parametrize("name", cases(sorted({*names()[::ONE_OF], *ALSO}), files=False))
def test_answers_in_the_smallest_steps_are_those_of_the_real_broker(name: str, tmp_path: Path) -> None:
    with smallest_steps():
        found = run(load(name), tmp_path)
    check(name, found, files=False)
