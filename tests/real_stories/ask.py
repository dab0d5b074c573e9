"""Asks real brokers where a bug begins: `python -m tests.real_stories.ask LAUNCHER [ID...]`.

The affected side of a story is played on the bug's first release, and on the last one before it. The answers are kept
in `asked.json`. Without ids, what was not asked yet is. LAUNCHER is described in `real_stage.py`.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal, TypeAlias

from fakekafka.bugs import Bug, all_bugs, bug
from fakekafka.bugs.bug import Side
from fakekafka.bugs.running import MakeStage, act
from fakekafka.releases.release import Release, all_releases

from tests.real_stories.real_stage import RealStage
from tests.real_stories.record import OLDEST, why_not

Answer: TypeAlias = Literal["seen", "not seen", "not playable"]
"""Whether a broker does all that the bug describes; or it does not know the requests or the settings of the story."""
ASKED: Final = Path(__file__).parent / "asked.json"


def asked() -> dict[str, dict[str, Answer]]:
    """What real brokers showed, by bug and release."""
    answers: dict[str, dict[str, Answer]] = json.loads(ASKED.read_text("utf-8"))
    return answers


def edge(known: Bug) -> list[str]:
    """The first release on which the story shows the bug; before it, the last one that does not have the bug, if that
    is its neighbour.

    A story about an upgrade is bound to its two releases. What a client computes is the same for any broker.
    """
    if why_not(known) or known.affected is None or known.affected.begins or known.affected.reader:
        return []
    first = known.shown_on.runs[0][0]
    before = [one for one in all_releases() if OLDEST <= one < first and not one.provisional][-1:]
    return [str(one) for one in (*before, first) if one >= OLDEST and (one == first or one not in known.runs)]


def not_recorded(known: Bug) -> list[str]:
    """The releases of `edge` that are neither side of the story's recording."""
    recorded = {side.release for side in (known.affected, known.cured) if side is not None}
    return [release for release in edge(known) if release not in recorded]


def answer(known: Bug, release: str, stage: MakeStage) -> Answer:
    """Play the affected side on this release."""
    assert known.affected is not None
    try:
        played = act(known, replace(known.affected, release=release), 0, stage)
    except Exception as e:  # whatever stops a story that needs what the release lacks
        print(f"  {type(e).__name__}: {str(e)[-300:]}", flush=True)
        return "not playable"
    print(f"  seen {played.seen}, described {played.expected}", flush=True)
    return "seen" if played.as_described else "not seen"


def main(launcher: Path, ids: list[str], only: str | None) -> None:
    """Ask about these bugs, or about all that were not asked about, and keep the answers."""
    for known, release in _questions(ids, only):
        stages: list[RealStage] = []

        def start(side: Side, stages: list[RealStage] = stages) -> RealStage:
            stages.append(RealStage(launcher, side))
            return stages[-1]

        try:
            said = answer(known, release, start)
        finally:
            for stage in stages:
                stage.close()
        print(f"{known.id} {release}: {said}", flush=True)
        keep(known.id, release, said)


def _questions(ids: list[str], only: str | None) -> Iterator[tuple[Bug, str]]:
    answers = asked()
    for known in map(bug, ids) if ids else all_bugs():
        for release in [only] if only else not_recorded(known):
            if ids or release not in answers.get(known.id, {}):
                yield known, release


def keep(name: str, release: str, said: Answer) -> None:
    """Add an answer to the file, or replace it."""
    answers = asked()
    answers.setdefault(name, {})[release] = said
    ordered = {one: {r: answers[one][r] for r in sorted(answers[one], key=Release.parse)} for one in sorted(answers)}
    ASKED.write_text(json.dumps(ordered, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("launcher", type=Path, metavar="LAUNCHER", help="a folder, see real_stage.py")
    parser.add_argument("ids", nargs="*", metavar="ID", help="bugs, such as KAFKA-6739")
    parser.add_argument("--release", help="ask about this release only")
    options = parser.parse_args()
    main(options.launcher, options.ids, options.release)
