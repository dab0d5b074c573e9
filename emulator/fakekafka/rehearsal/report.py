"""The results of a rehearsal as text, and as plain data for JSON."""

from collections.abc import Iterator
from typing import Any

from fakekafka.escaping import escaped
from fakekafka.rehearsal.results import ActResult, Progress, StepResult

VERDICTS = {0: "everything held", 1: "SOMETHING BROKE", 2: "not finished"}


def as_text(progress: Progress) -> str:
    """The results for a person: each step with its acts, what broke, and a verdict."""
    lines = [line for step in progress.done for line in _step(step)]
    rest = progress.steps - len(progress.done)
    if rest:
        lines.append(f"{rest} of {progress.steps} steps were not played")
    broken = [str(step.number) for step in progress.done if not step.held]
    where = f" in step {', '.join(broken)}" if broken else ""
    return "\n".join((*lines, f"{VERDICTS[progress.status]}{where}"))


def as_data(progress: Progress) -> dict[str, Any]:
    """The results for programs."""
    return {
        "verdict": VERDICTS[progress.status].lower(),
        "steps": progress.steps,
        "done": [
            {"step": step.number, "phase": step.phase, "held": step.held, "acts": [_act_data(act) for act in step.acts]}
            for step in progress.done
        ],
    }


def _act_data(act: ActResult) -> dict[str, Any]:
    who = {"killed" if act.act == "kill" else "client": act.who} if act.who else {}
    return {"act": act.act, **who, "broke": list(act.broke), "notes": list(act.notes)}


def _step(step: StepResult) -> Iterator[str]:
    yield f"{step.number}  {step.phase}: {'held' if step.held else 'BROKE'}"
    for act in step.acts:
        notes = "; ".join(act.notes) or ("" if act.broke else "ok")
        yield f"   {act.act:<8} {escaped(act.who + ': ' if act.who else '')}{escaped(notes)}".rstrip()
        for problem in act.broke:
            yield from (f"   {'':<8} !! {escaped(line)}" for line in problem.splitlines())
    yield ""
