"""Signs in the text of logs."""

import pytest
from fakekafka.bugs import bug
from fakekafka.bugs.signs.of_texts import WORDS, diagnose_text


@pytest.mark.parametrize("words", WORDS)
def test_words_name_bugs_that_there_are(words: str) -> None:
    assert {one.bug for one in diagnose_text([f"ERROR {words.upper()}"])} >= set(WORDS[words])
    assert all(bug(name).id == name for name in WORDS[words])


def test_each_bug_is_named_once_with_its_line() -> None:
    (one,) = diagnose_text(["all is well", "lz4: got 1a; expected 82", "got 1a; expected 82"])
    assert (one.bug, one.seen) == ("KAFKA-3160", "line 2: lz4: got 1a; expected 82")


def test_other_text_is_silent() -> None:
    assert diagnose_text(["INFO started (kafka.server.KafkaServer)"]) == []
