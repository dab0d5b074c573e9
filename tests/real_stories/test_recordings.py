"""The stories as real brokers played them: each recording shows what the bug's description says."""

import re
from collections.abc import Mapping
from functools import partial
from typing import Final

import pytest
from fakekafka.bugs import Side, all_bugs, bug
from fakekafka.bugs.running import act

from tests.real_stories.record import why_not
from tests.real_stories.tape import RECORDINGS, Tape, load

RECORDED = sorted(path.name.removesuffix(".json.xz") for path in RECORDINGS.glob("*.json.xz"))
NOT_RECORDED: Final[Mapping[str, str]] = {}
"""Stories that real brokers can play, and why they have no recording. If a real broker behaves differently, it is an
open question whether the story, the emulator or the way of recording is wrong.
"""


def given(tape: Tape, side: Side) -> Tape:
    return tape


def test_every_story_that_real_brokers_can_play_has_a_recording_or_a_reason() -> None:
    playable = {known.id for known in all_bugs() if not why_not(known)}
    assert playable - set(RECORDED) == NOT_RECORDED.keys()


@pytest.mark.parametrize("name", RECORDED)
def test_only_stories_that_real_brokers_can_play_are_recorded(name: str) -> None:
    assert why_not(bug(name)) == ""


@pytest.mark.parametrize("name", RECORDED)
def test_real_brokers_on_both_sides_do_what_the_story_says(name: str) -> None:
    known = bug(name)
    for number, (side, steps) in enumerate(zip((known.affected, known.cured), load(name), strict=True)):
        assert side is not None
        tape = Tape(steps, side)
        played = act(known, side, number, partial(given, tape))
        assert played.seen == played.expected
        assert tape.is_over


def test_a_story_that_deviates_from_its_recording_is_refused() -> None:
    known = bug("KAFKA-6739")
    assert known.affected is not None
    steps = load(known.id)[0]
    steps[2]["request"] = "00" + steps[2]["request"][2:-2] + "77"
    tape = Tape(steps, known.affected)
    with pytest.raises(AssertionError, match=re.escape("recorded was")):
        act(known, known.affected, 0, partial(given, tape))
