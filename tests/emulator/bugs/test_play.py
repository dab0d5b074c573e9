"""The object through which a story acts."""

import pytest
from fakekafka.bugs import Side
from fakekafka.bugs.here import Here
from fakekafka.bugs.play import CLOSED, NO_ANSWER, Play
from fakekafka.bugs.sets import NOW, batch, records
from fakekafka.bugs.stage import Closed, NoAnswer
from fakekafka.errors import UsageError


def on(release: str) -> Play:
    side = Side(release)
    return Play(Here(side), side)


def test_produced_records_can_be_fetched() -> None:
    play = on("2.3")
    play.topic()
    assert play.produce(batch()) == ("NONE", 0)
    found = play.fetch()
    assert (found.error, found.high_watermark, found.magics) == ("NONE", 3, [2])
    assert [unit.last_offset for unit in play.log()] == [2]


def test_a_request_without_an_answer_says_how_it_ended() -> None:
    assert on("0.9.0").ending("ApiVersions", 0) == NO_ANSWER
    assert on("0.8.2").ending("ApiVersions", 0) == CLOSED
    with pytest.raises(NoAnswer):
        on("0.9.0").call("ApiVersions", 0)
    with pytest.raises(Closed):
        on("0.8.2").call("ApiVersions", 0)
    play = on("2.1.0")
    play.topic()
    assert play.produce(batch() + batch(), 3).error == CLOSED
    assert play.fetch().error == "NONE"


def test_fields_that_a_request_does_not_have_are_refused() -> None:
    with pytest.raises(UsageError, match="MetadataRequest has no field 'topic'"):
        on("2.3").call("Metadata", 0, topic="t")


def test_aborted_transactions_leave_markers_and_are_listed() -> None:
    play = on("2.3")
    play.topic()
    producer = play.begin_transaction("tx")
    play.produce(batch(producer=producer, transactional=True), transactional_id="tx")
    play.end_transaction("tx", producer, commit=False)
    assert play.fetch(committed=True).aborted == ((producer, 0),)
    assert [unit.is_control for unit in play.log()] == [False, True]


def test_committed_offsets_survive_a_restart_as_another_release() -> None:
    play = on("2.3")
    play.topic()
    assert play.commit(2) == "NONE"
    play.restart("2.4.1")
    assert play.committed() == 2
    assert str(play.release) == "2.4.1"
    assert play.committed("nobody") == -1


def test_a_broker_that_does_not_start_says_why() -> None:
    play = on("2.3")
    assert not play.starts(config={"log.message.format.version": "2.3", "inter.broker.protocol.version": "0.10.2"})
    assert "it does not start: " in play.narrative[-1]


def test_records_are_deleted_and_time_passes() -> None:
    play = on("2.3")
    play.topic()
    play.produce(batch(records(5)))
    play.delete_records(3)
    assert play.list_offset(-2, 1) == ("NONE", 3)
    play.advance(1000)
    assert play.now == NOW + 1000
