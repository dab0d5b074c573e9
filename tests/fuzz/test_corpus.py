"""The inputs from which coverage-guided fuzzing starts, and its earlier findings, are harmless."""

from pathlib import Path

import pytest

from tests.fuzz.guided import CORPUS
from tests.fuzz.targets import TARGETS, feed

INPUTS = sorted(path for path in CORPUS.rglob("*") if path.is_file())


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_an_input_of_the_corpus_is_harmless(path: Path) -> None:
    feed(path.parent.name, path.read_bytes())


def test_each_target_has_inputs_to_start_from() -> None:
    assert {path.parent.name for path in INPUTS} == TARGETS.keys()
    assert sum(path.stat().st_size for path in INPUTS) < 64 * 1024
