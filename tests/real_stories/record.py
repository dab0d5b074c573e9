"""Plays stories on real brokers, and keeps what they did: `python -m tests.real_stories.record LAUNCHER [ID...]`.

LAUNCHER is described in `real_stage.py`. Without ids, every story is recorded that has no recording yet. A recording is
kept only if both sides are what the bug describes; otherwise the difference is printed, and the story or the emulator
is wrong.
"""

import argparse
from functools import partial
from pathlib import Path

from fakekafka.bugs import Bug, Side, all_bugs, bug
from fakekafka.bugs.running import Act, act
from fakekafka.releases.release import Release

from tests.real_stories.real_stage import RealStage
from tests.real_stories.tape import Recorder, Step, path_of, save

OLDEST = Release.parse("0.8.2.0")
"""Maven's registry has no older brokers."""


def main(launcher: Path, ids: list[str]) -> None:
    """Record these stories, or all that are missing."""
    for known in [bug(one) for one in ids] or [one for one in all_bugs() if not path_of(one.id).exists()]:
        if reason := why_not(known):
            print(f"{known.id}: {reason}", flush=True)
            continue
        try:
            print(f"{known.id}: {record(launcher, known)}", flush=True)
        except Exception as e:  # one story must not keep the others from being recorded
            print(f"{known.id}: failed: {type(e).__name__}: {str(e)[-600:]}", flush=True)


def why_not(known: Bug) -> str:
    """The reason why a story cannot be played on real brokers; empty if it can."""
    sides = [side for side in (known.affected, known.cured) if side is not None]
    if known.story is None:
        return "has no story"
    if any(side.quirks or side.api_versions for side in sides):
        return "no release is like one of its sides"
    if any(side.brokers for side in sides):
        return "it takes several brokers"
    if any(Release.parse(side.begins or side.release) < OLDEST for side in sides):
        return "its brokers are not in Maven's registry"
    return ""


def record(launcher: Path, known: Bug) -> str:
    """Record one story. Returns the result in words."""
    assert known.affected is not None
    assert known.cured is not None
    tapes, wrong = [], []
    for number, side in enumerate((known.affected, known.cured)):
        played, steps = _on_a_broker(launcher, known, side, number)
        tapes.append(steps)
        if not played.as_described:
            wrong.append(f"{side}: seen {played.seen}, described {played.expected}")
    if wrong:
        return "DIFFERS\n  " + "\n  ".join(wrong)
    save(known.id, tapes)
    return "recorded"


def _on_a_broker(launcher: Path, known: Bug, side: Side, number: int) -> tuple[Act, list[Step]]:
    stage = RealStage(launcher, side)
    try:
        recorder = Recorder(stage, side)
        return act(known, side, number, partial(_given, recorder)), recorder.steps
    finally:
        stage.close()


def _given(recorder: Recorder, side: Side) -> Recorder:
    return recorder


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("launcher", type=Path, metavar="LAUNCHER", help="a folder, see real_stage.py")
    parser.add_argument("ids", nargs="*", metavar="ID", help="bugs, such as KAFKA-6739")
    options = parser.parse_args()
    main(options.launcher, options.ids)
