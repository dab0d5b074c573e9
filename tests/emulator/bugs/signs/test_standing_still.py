"""Signs of consumers that stand still: what counts for one consumer of one partition, and what has other causes."""

from collections.abc import Iterable, Sequence

import pytest
from fakekafka.bugs.sets import batch, records
from fakekafka.bugs.signs.of_journals import diagnose_journal
from fakekafka.ids import Offset, TopicName
from fakekafka.inspection.journal_lines import JournalLine
from fakekafka.wire.plain import HEX

from tests.support.seeded import marker

OLD, BY_NAME, BY_ID = 3, 12, 13
TIMES = 4
"""How often an offset is requested in vain before that is a finding."""


def fetch(
    *topics: TopicName,
    offset: Offset = 0,
    data: bytes = b"",
    high_watermark: Offset = 9,
    version: int = OLD,
    took_ms: int | None = None,
    max_bytes: int = 1 << 20,
) -> JournalLine:
    """A fetch of partition 0 of each topic; all of them get the same answer."""
    by_id = version >= BY_ID
    named = [{"topic_id": {HEX: name.encode().hex()}} if by_id else {"topic": name} for name in topics]
    asked = {"partition": 0, "fetch_offset": offset, "partition_max_bytes": max_bytes}
    given = {"partition_index": 0, "error_code": 0, "high_watermark": high_watermark, "records": {HEX: data.hex()}}
    request = {"max_wait_ms": 500, "topics": [{**name, "partitions": [asked]} for name in named]}
    response = {"session_id": 0, "responses": [{**name, "partitions": [given]} for name in named]}
    return JournalLine(0, 0, "1", "c", "Fetch", version, request, response, took_ms=took_ms)


def metadata(*topics: TopicName) -> JournalLine:
    """An answer that says which topic has which id."""
    rows = [{"name": name.strip(), "topic_id": {HEX: name.encode().hex()}} for name in topics]
    return JournalLine(0, 0, "1", "c", "Metadata", 12, {}, {"topics": rows})


def produce(data: bytes, topic: TopicName = "t", base_offset: Offset = 0) -> JournalLine:
    request = {"topic_data": [{"name": topic, "partition_data": [{"index": 0, "records": {HEX: data.hex()}}]}]}
    row = {"index": 0, "error_code": 0, "base_offset": base_offset}
    response = {"responses": [{"name": topic, "partition_responses": [row]}]}
    return JournalLine(0, 0, "2", "p", "Produce", 3, request, response)


def seen(lines: Iterable[JournalLine]) -> dict[str, str]:
    return {one.bug: one.seen for one in diagnose_journal(lines)}


MARKER = marker(0)


# ---- one consumer, one partition


def test_partitions_are_counted_one_by_one_although_they_are_named_by_ids() -> None:
    topics = [f"{name:16}" for name in ("first", "second", "third", "fourth")]
    once = fetch(*topics, data=MARKER, version=BY_ID)
    assert "CONTROL-ONLY" not in seen([once])
    assert "CONTROL-ONLY" in seen([once] * TIMES)


def test_a_topic_that_was_asked_for_by_its_id_is_shown_with_its_name() -> None:
    lines = [fetch(f"{'orders':16}", data=MARKER, version=BY_ID)] * TIMES
    assert "orders-0: " in seen([metadata(f"{'orders':16}"), *lines])["CONTROL-ONLY"]
    of_no_use = JournalLine(0, 0, "1", "c", "Metadata", 12, {}, {"topics": None})
    lines = [metadata("\0" * 16), of_no_use, *lines]
    assert "b3JkZXJzICAgICAgICAgIA-0: " in seen(lines)["CONTROL-ONLY"]


def test_offsets_are_kept_apart_for_each_topic_that_is_asked_for_by_its_id() -> None:
    first, second = (fetch(f"{name:16}", offset=n, data=MARKER, version=BY_ID) for n, name in enumerate(("a", "b")))
    assert first.response is not None
    assert second.response is not None
    request = {"topics": first.request["topics"] + second.request["topics"]}
    response = {"session_id": 0, "responses": first.response["responses"] + second.response["responses"]}
    both = first._replace(request=request, response=response)
    assert ": offset 0 asked" in seen([both] * TIMES)["CONTROL-ONLY"]


@pytest.mark.parametrize("times", [1, 2, 3, 4])
def test_an_answer_is_counted_once_even_if_it_is_a_sign_of_several_bugs(times: int) -> None:
    lines = [fetch("t", offset=5, data=batch(records(2)), version=BY_NAME)] * times
    assert ("KAFKA-5443" in seen(lines)) is (times >= TIMES)
    lines = [fetch("t", offset=5, data=MARKER, version=BY_NAME)] * times
    assert {"KAFKA-5443", "CONTROL-ONLY"} & seen(lines).keys() == (
        {"KAFKA-5443", "CONTROL-ONLY"} if times >= TIMES else set()
    )


def test_a_consumer_that_makes_progress_and_comes_back_does_not_stand_still() -> None:
    round_trip = [
        fetch("t", data=MARKER, version=BY_NAME),
        fetch("t", offset=1, data=batch(records(1)), version=BY_NAME),
    ]
    assert "CONTROL-ONLY" not in seen(round_trip * TIMES)


# ---- EMPTY-CONVERTED


def nothing(**fields: int | None) -> list[JournalLine]:
    return [fetch("t", offset=3, **fields)] * TIMES  # type: ignore[arg-type]


def test_repeated_empty_answers_without_a_wait_are_a_sign() -> None:
    assert "EMPTY-CONVERTED" in seen(nothing())
    assert "EMPTY-CONVERTED" in seen(nothing(took_ms=0))
    assert "EMPTY-CONVERTED" in seen([produce(batch(records(3))), *nothing()])


def test_a_broker_that_has_waited_had_nothing_to_convert() -> None:
    """The end of a compacted log whose last records are gone: the bug is that min.bytes are there, and lost later."""
    assert "EMPTY-CONVERTED" not in seen(nothing(took_ms=500))


@pytest.mark.parametrize("version", [0, 2])
def test_a_record_that_is_too_large_for_the_consumer_is_not_a_marker(version: int) -> None:
    lines = nothing(version=version, max_bytes=4096)
    assert "EMPTY-CONVERTED" in seen(lines)
    assert "EMPTY-CONVERTED" in seen([produce(batch(records(1)), base_offset=3), *lines])
    large = batch(records(2, value=bytes(5000)))
    assert "EMPTY-CONVERTED" not in seen([produce(large, base_offset=2), *lines])
    assert "EMPTY-CONVERTED" in seen([produce(large, base_offset=1), *lines])


def test_a_consumer_that_gets_records_in_between_does_not_stand_still() -> None:
    lines: Sequence[JournalLine] = [fetch("t", offset=3), fetch("t", offset=3, data=batch(records(1)))]
    assert "EMPTY-CONVERTED" not in seen([*lines] * TIMES)


def test_answers_filled_by_other_partitions_do_not_count() -> None:
    crowded, alone = fetch("t", "u", offset=3), fetch("t", offset=3)
    assert crowded.response is not None
    crowded.response["responses"][1]["partitions"][0] = {
        **crowded.response["responses"][1]["partitions"][0],
        "records": {HEX: batch(records(1)).hex()},
    }
    assert "EMPTY-CONVERTED" not in seen([*[crowded] * TIMES, alone])


def test_waiting_at_the_end_of_the_log_does_not_count() -> None:
    assert "EMPTY-CONVERTED" not in seen([*nothing(high_watermark=3), fetch("t", offset=3)])


def test_lines_on_which_a_rule_of_faults_has_acted_show_no_bug() -> None:
    once = fetch("t", data=MARKER, version=BY_NAME)
    assert "CONTROL-ONLY" in seen([once] * TIMES)
    assert seen([once._replace(fault="corrupt Fetch")] * TIMES) == {}
