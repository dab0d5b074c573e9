"""The state file of a rehearsal."""

from pathlib import Path

import pytest
from fakekafka import UsageError
from fakekafka.rehearsal.results import STATE_FILE, ActResult, Progress, StepResult, read_progress, write_progress

STEP = StepResult(
    0, "old code", (ActResult("begin", "", (), ("0 records",)), ActResult("load", "c", ("ended with 1",)))
)


@pytest.mark.parametrize("progress", [Progress("d", 5), Progress("d", 5, (STEP,), "after-step-0", False)])
def test_results_are_read_as_they_were_written(tmp_path: Path, progress: Progress) -> None:
    write_progress(tmp_path, progress)
    assert read_progress(tmp_path, "d") == progress
    assert [path.name for path in tmp_path.iterdir()] == [STATE_FILE]


def test_a_first_run_has_no_state(tmp_path: Path) -> None:
    assert read_progress(tmp_path, "d") is None


@pytest.mark.parametrize(
    "text", ["{", "{}", "[]", '{"digest": "d", "steps": 1, "saved": null, "done": [[0, "x", [1]]]}']
)
def test_a_damaged_state_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / STATE_FILE).write_text(text, "utf-8")
    with pytest.raises(UsageError, match=r"is damaged .* --again"):
        read_progress(tmp_path, "d")


@pytest.mark.parametrize(
    ("progress", "status"),
    [
        (Progress("d", 5), 2),
        (Progress("d", 5, (STEP,)), 2),
        (Progress("d", 1, (STEP,), None, True), 1),
        (Progress("d", 1, (STEP._replace(acts=STEP.acts[:1]),), None, True), 0),
    ],
)
def test_the_status_is_0_only_if_everything_was_played_and_held(progress: Progress, status: int) -> None:
    assert progress.status == status
