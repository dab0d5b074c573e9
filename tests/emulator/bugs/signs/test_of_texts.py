"""Signs in the text of logs."""

import pytest
from fakekafka.bugs import bug
from fakekafka.bugs.signs.of_texts import TOGETHER, WORDS, diagnose_text
from fakekafka.releases.release import Release


@pytest.mark.parametrize("words", WORDS)
def test_known_words_name_existing_bugs(words: str) -> None:
    assert {one.bug for one in diagnose_text([f"ERROR {words.upper()}"])} >= set(WORDS[words])
    assert all(bug(name).id == name for name in WORDS[words])


def test_each_bug_is_named_once_with_the_line_that_shows_it() -> None:
    (one,) = diagnose_text(["all is well", "lz4: got 1a; expected 82", "got 1a; expected 82"])
    assert (one.bug, one.seen) == ("KAFKA-3160", "line 2: lz4: got 1a; expected 82")


def test_other_text_shows_no_bug() -> None:
    assert diagnose_text(["INFO started (kafka.server.KafkaServer)"]) == []


@pytest.mark.parametrize(
    "line",
    [
        "SerializationException: Unknown magic byte!",
        "unknown magic byte in picture.png",
        "mkdir: cannot create /data while it already exists",
        "Partition t-0 marked as failed due to fenced leader epoch",
        "unknown_topic_id_count=0",
        "scheduler: not compressing batch job 7",
        "our serializer does not support record headers",
        "the sequence does not have incremental offsets",
        "proxy: message larger than maximum allowable size, split",
        "row 7: invalid timestamp -1500",
        "unknown compression type id: 42",
        "gateway got 1a; expected 8210",
    ],
)
def test_ordinary_lines_show_no_bug(line: str) -> None:
    assert diagnose_text([line]) == []


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (
            "Trying to roll a new log segment for topic partition t-0 with start offset 7 while it already exists.",
            "6388",
        ),
        ("Attempt to fetch offsets for partition t-0 failed due to fenced leader epoch, refreshing.", "9212"),
        ("Broker does not support compression type gzip: not compressing batch", "18659"),
        ("IllegalArgumentException: Magic v1 does not support record headers", "6739"),
        ("Inner record 1 inside the compressed record batch does not have incremental offsets, expected 1", "9669"),
        ("IllegalStateException: This log contains a message larger than maximum allowable size of 1000012.", "4019"),
        ("kafka: error decoding packet: unknown magic byte (2)", "MIXED-MAGIC"),
        ("[thrd:main]: Fetch error: Broker: Unknown topic id", "ZERO-TOPIC-ID"),
    ],
)
def test_lines_as_programs_write_them_name_the_bug(line: str, name: str) -> None:
    assert {one.bug.removeprefix("KAFKA-") for one in diagnose_text([line])} >= {name}


def test_a_full_heap_while_a_broker_answers_others_shows_no_bug() -> None:
    lines = ["java.lang.OutOfMemoryError: Java heap space", "[KafkaApi-0] shut down complete (kafka.server.KafkaApis)"]
    assert diagnose_text([*lines, "  at kafka.server.KafkaApis.handleProduceRequest(KafkaApis.scala:1)"]) == []


@pytest.mark.parametrize("pair", TOGETHER, ids=" and ".join)
def test_words_that_belong_together_count_if_they_are_close_together(pair: tuple[str, str]) -> None:
    first, second = pair
    assert {one.bug for one in diagnose_text([first, "a line", second])} >= set(TOGETHER[pair])
    assert diagnose_text([second]) == diagnose_text([first, *["a line"] * 30, second]) == []
    assert all(bug(name).id == name for name in TOGETHER[pair])


def test_a_heap_that_is_full_for_another_reason_shows_no_bug() -> None:
    assert diagnose_text(["java.lang.OutOfMemoryError: Java heap space", "  at java.util.Arrays.copyOf"]) == []


def test_a_release_that_does_not_have_a_bug_is_not_accused_of_it() -> None:
    line = "requirement failed: 90000 messages in segment t-0/0.log but offset map can fit only 78643"
    assert [one.bug for one in diagnose_text([line])] == ["KAFKA-3894"]
    assert diagnose_text([line], Release.parse("2.3")) == []
