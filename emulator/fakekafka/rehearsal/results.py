"""What a rehearsal has found so far, and the state file that keeps it between two runs."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from fakekafka.errors import UsageError

STATE_FILE: Final = "rehearsal.json"


class ActResult(NamedTuple):
    """What came of one act."""

    act: str
    """ "begin", "step", "back" or "forward"; "load", "kill" or "verify", after one of them."""
    who: str
    """The client, for "load"; for "kill" what was killed; otherwise ""."""
    broke: tuple[str, ...] = ()
    """What broke; empty if nothing did."""
    notes: tuple[str, ...] = ()
    """What else is worth knowing."""


class StepResult(NamedTuple):
    """What came of a step."""

    number: int
    phase: str
    acts: tuple[ActResult, ...]

    @property
    def held(self) -> bool:
        """Whether nothing broke in it."""
        return not any(act.broke for act in self.acts)


class Progress(NamedTuple):
    """How far a rehearsal has come."""

    digest: str
    """The digest of the script that is played."""
    steps: int
    """How many steps there are, the beginning included."""
    done: tuple[StepResult, ...] = ()
    saved: str | None = None
    """The directory with the brokers' files after the last step that was done."""
    ended: bool = False
    """Whether there is nothing more to do: after the last step, or where the brokers did not start."""

    @property
    def status(self) -> int:
        """The exit status: 0 if everything held, 1 if something broke, 2 if it is not finished."""
        if not self.ended:
            return 2
        return 0 if all(step.held for step in self.done) else 1


def write_progress(folder: Path, progress: Progress) -> None:
    """Replace the state file atomically."""
    new = folder / f"{STATE_FILE}.new"
    new.write_text(json.dumps(_data(progress), indent=1), "utf-8")
    new.replace(folder / STATE_FILE)


def read_progress(folder: Path, digest: str) -> Progress | None:
    """What the last run has left; None if there was none. Raises `UsageError` if it played another script."""
    path = folder / STATE_FILE
    if not path.exists():
        return None
    try:
        given = json.loads(path.read_text("utf-8"))
        steps = tuple(_step(*one) for one in given["done"])
        progress = Progress(given["digest"], given["steps"], steps, given["saved"], given["ended"])
    except (ValueError, KeyError, TypeError) as e:
        raise UsageError(f"{path} is damaged ({e}): start over with --again") from None
    if progress.digest != digest:
        raise UsageError(f"the plan has changed since {path} was written: start over with --again")
    return progress


def _data(progress: Progress) -> dict[str, object]:
    return progress._asdict()


def _step(number: int, phase: str, acts: Sequence[Sequence[object]]) -> StepResult:
    return StepResult(number, phase, tuple(_act(*one) for one in acts))


def _act(act: object, who: object, broke: object, notes: object) -> ActResult:
    if not isinstance(broke, list) or not isinstance(notes, list):
        raise TypeError("an act without its lists")
    return ActResult(str(act), str(who), tuple(map(str, broke)), tuple(map(str, notes)))
