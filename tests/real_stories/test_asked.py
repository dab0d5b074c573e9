"""Where bugs begin: real brokers were asked (`asked.json`), and the emulator plays the same."""

from collections.abc import Mapping
from typing import Final

import pytest
from fakekafka.bugs import all_bugs, bug
from fakekafka.bugs.here import Here
from fakekafka.releases.release import Release

from tests.real_stories.ask import answer, asked, not_recorded

ANSWERS = [(name, release, said) for name, answers in asked().items() for release, said in answers.items()]
NOT_ALIKE: Final[Mapping[str, Mapping[str, str]]] = {
    "KAFKA-5431": dict.fromkeys(
        ("0.9.0.0", "0.10.0.0", "0.10.2.2"),
        "a real broker is stopped before its files are read, and cuts off the zeros then; here it need not be",
    ),
    "KAFKA-4472": {"0.8.2.0": "as KIP-211"},
    "KIP-211": dict.fromkeys(
        ("0.8.2.0", "0.8.2.2"),
        "the real broker kept the offset, though it expires in the recording of 0.8.2.2: it was not found out why",
    ),
    "TOPIC-FORMAT-NOT-EXCLUDED": {
        "0.9.0.1": "the real broker ignores a config that it does not know; here it is refused"
    },
}
"""Answers of real brokers that the emulator does not give, and why."""


def test_real_brokers_were_asked_where_each_story_begins() -> None:
    missing = {(known.id, release) for known in all_bugs() for release in not_recorded(known)}
    assert missing - {(name, release) for name, release, _ in ANSWERS} == set()


@pytest.mark.parametrize(
    ("name", "release", "said"), ANSWERS, ids=[f"{name}-{release}" for name, release, _ in ANSWERS]
)
def test_a_real_broker_shows_the_bug_if_its_release_is_said_to_show_it(name: str, release: str, said: str) -> None:
    """Older releases may do the same for other reasons: they do not know what the story sends, or check nothing."""
    known, asked_of = bug(name), Release.parse(release)
    assert said == "seen" if asked_of in known.shown_on else said != "seen" or asked_of < known.runs.runs[0][0]


@pytest.mark.parametrize(
    ("name", "release", "said"), ANSWERS, ids=[f"{name}-{release}" for name, release, _ in ANSWERS]
)
def test_the_emulator_shows_the_bug_where_a_real_broker_does(name: str, release: str, said: str) -> None:
    is_alike = (answer(bug(name), release, Here) == "seen") == (said == "seen")
    assert is_alike == (release not in NOT_ALIKE.get(name, {}))
