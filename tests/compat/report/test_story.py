import pytest
from fakekafka_compat.report.story import Fact, RecordSeen, story
from fakekafka_spark.observations import Cell, Observation

from tests.compat.report.observed import RAN, converted, differing, fact, record, refused, requests, skipped, zero_copy

CELL = Cell.of("kp147", "0.10.2", "0.9.0", "", "none", "roundtrip")


def test_the_story_of_a_sound_cell_has_versions_bytes_records_and_requests() -> None:
    told = story(CELL, zero_copy())
    assert (told.outcome, told.reasons, told.handling) == ("as the real broker", [], "zero-copy")
    assert told.versions == [Fact("Fetch", "11", "11"), Fact("Metadata", "8", None), Fact("Produce", "7", "7")]
    assert told.bytes == ["Fetch 11: 108 bytes, as they are"]
    assert told.counts == {"produced": 3, "stored": 3, "consumed": 3}
    assert told.facts == [Fact("version of the client", "1.0", "1.0")]
    assert told.requests == ["Produce v7 tester ok", "Fetch v11 tester ok (× 4)"]
    assert told.records == []


@pytest.mark.parametrize(
    ("rows", "handling"),
    [(zero_copy(), "zero-copy"), (converted(), "converted"), (refused(), "refused"), (skipped(), "none")],
)
def test_what_became_of_the_bytes_is_one_word(rows: list[Observation], handling: str) -> None:
    assert story(CELL, rows).handling == handling


def test_the_story_of_a_conversion_has_formats_records_and_bytes() -> None:
    told = story(CELL, converted())
    assert told.bytes == ["Fetch 2: 3 batches, 234 bytes to 108, 0.10 ms of CPU, format v2 to v0, 3 records"]
    assert told.facts[-1] == Fact("conversions", "Fetch 2 to 0", "Fetch 2 to 0")


def test_the_story_of_a_refused_record_has_the_clients_words() -> None:
    assert story(CELL, refused()).facts[-1] == Fact("refused", "record 9: MESSAGE_TOO_LARGE", None)


def test_records_that_differ_are_followed_through_all_stages() -> None:
    told = story(CELL, differing())
    assert told.outcome == "differs"
    assert told.records == [
        RecordSeen(1, "produced", "0-1", "", "1", "once"),
        RecordSeen(1, "stored", "0-1", "v2", "1", ""),
    ]
    assert [version for version in told.versions if version.differs] == [Fact("ListOffsets", "1", "5")]


def test_records_without_a_producer_or_a_place_are_followed() -> None:
    rows = [RAN, record("consumed", 7, partition=None, offset=None, timestamp=None, magic=0)]
    assert story(CELL, rows).records == [RecordSeen(7, "read by 0", "?-?", "v0", "?", "")]


def test_a_time_has_its_unit_and_a_fact_without_a_value_is_left_out() -> None:
    rows = [RAN, fact("error", "", ""), Observation("fact", name="time of the scenario", amount=1234.4)]
    assert story(CELL, rows).facts == [Fact("time of the scenario", "1,234 ms", None)]


def test_a_cell_that_did_not_run_has_only_its_reason() -> None:
    told = story(CELL, skipped())
    assert (told.outcome, told.handling) == ("not runnable here", "none")
    assert told.reasons == ["there is no Python 3.7 & nothing like it"]
    assert (told.versions, told.bytes, told.facts, told.requests) == ([], [], [], [])


def test_a_summary_without_requests_shows_no_last_requests() -> None:
    assert story(CELL, [RAN, requests()]).requests == []
    assert story(CELL, [RAN, fact("last requests", "", text="topics: none")]).requests == []
