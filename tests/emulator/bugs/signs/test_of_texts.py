"""Signs in the text of logs."""

import pytest
from fakekafka.bugs import bug
from fakekafka.bugs.signs.of_texts import TOGETHER, WORDS, diagnose_text
from fakekafka.releases.release import Release


@pytest.mark.parametrize("words", WORDS)
def test_words_name_bugs_that_there_are(words: str) -> None:
    assert {one.bug for one in diagnose_text([f"ERROR {words.upper()}"])} >= set(WORDS[words])
    assert all(bug(name).id == name for name in WORDS[words])


def test_each_bug_is_named_once_with_its_line() -> None:
    (one,) = diagnose_text(["all is well", "lz4: got 1a; expected 82", "got 1a; expected 82"])
    assert (one.bug, one.seen) == ("KAFKA-3160", "line 2: lz4: got 1a; expected 82")


def test_other_text_is_silent() -> None:
    assert diagnose_text(["INFO started (kafka.server.KafkaServer)"]) == []


@pytest.mark.parametrize("pair", TOGETHER, ids=" and ".join)
def test_words_that_belong_together_count_when_they_are_near(pair: tuple[str, str]) -> None:
    first, second = pair
    assert {one.bug for one in diagnose_text([first, "a line", second])} >= set(TOGETHER[pair])
    assert diagnose_text([second]) == diagnose_text([first, *["a line"] * 30, second]) == []
    assert all(bug(name).id == name for name in TOGETHER[pair])


def test_a_heap_that_is_full_for_another_reason_is_silent() -> None:
    assert diagnose_text(["java.lang.OutOfMemoryError: Java heap space", "  at java.util.Arrays.copyOf"]) == []


def test_a_release_that_does_not_have_a_bug_is_not_accused_of_it() -> None:
    line = "requirement failed: 90000 messages in segment t-0/0.log but offset map can fit only 78643"
    assert [one.bug for one in diagnose_text([line])] == ["KAFKA-3894"]
    assert diagnose_text([line], Release.parse("2.3")) == []
