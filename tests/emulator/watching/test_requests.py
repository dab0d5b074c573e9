"""Remembered requests: selected, waited for and written as JSON lines; `watching/requests.py`."""

from pathlib import Path
from typing import Any

import pytest
from fakekafka import FakeKafka, ManualClock, UsageError
from fakekafka.inspection.journal_lines import read_journal
from fakekafka.wire.apis.metadata import MetadataRequest

from tests.support.faults import NOW, Client, fetch, produce


@pytest.fixture
def kafka() -> FakeKafka:
    kafka = FakeKafka("2.3", topics={"orders": 2, "other": 1}, clock=ManualClock(NOW)).boot()
    svc, cli = Client(kafka, "svc-1"), Client(kafka, "cli")
    svc.send(produce(("orders", 0)), 7)
    cli.send(produce(("other", 0), ("orders", 1)), 3)
    cli.send(produce(("nowhere", 0)), 7)
    svc.send(fetch(("orders", 0), max_wait_ms=1000), 11)
    svc.send(fetch(("orders", 1)), 11)
    return kafka


@pytest.mark.parametrize(
    ("api", "match", "found"),
    [
        (None, {}, [0, 1, 2, 3, 4]),
        ("Produce", {}, [0, 1, 2]),
        (1, {}, [3, 4]),
        (("Produce", "Fetch"), {"topic": "orders"}, [0, 1, 3, 4]),
        ("Produce", {"topic": "ord*", "partition": 1}, [1]),
        (None, {"client_id": "svc-*"}, [0, 3, 4]),
        ("Produce", {"version": 3}, [1]),
        ("Produce", {"error": "UNKNOWN_TOPIC_OR_PARTITION"}, [2]),
        (None, {"where": lambda request: "max_wait_ms" in vars(request)}, [3, 4]),
    ],
)
def test_requests_are_selected_by_the_fields_of_rules(kafka: FakeKafka, api: Any, match: Any, found: list[int]) -> None:
    requests = kafka.requests
    assert [requests.index(entry) for entry in requests.where(api, **match)] == found


def test_requests_can_be_selected_by_whether_they_are_answered() -> None:
    kafka = FakeKafka("2.3", topics={"orders": 1}, clock=ManualClock(NOW)).boot()
    with kafka.faults.hold("Produce"):
        Client(kafka).send(produce(("orders", 0)), 7)
        assert [len(kafka.requests.where("Produce", answered=said)) for said in (True, False, None)] == [0, 1, 1]
    assert len(kafka.requests.where("Produce", answered=True)) == 1


@pytest.mark.parametrize(
    ("api", "match", "says"),
    [("Prodouce", {}, "did you mean Produce"), ("Produce", {"topics": "x"}, "no field 'topics': did you mean topic=")],
)
def test_a_condition_that_no_request_can_meet_is_refused(kafka: FakeKafka, api: str, match: Any, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        kafka.requests.where(api, **match)


def test_a_slice_of_the_requests_can_be_searched_as_well(kafka: FakeKafka) -> None:
    assert len(kafka.requests[1:].where("Produce")) == 2


def test_a_wait_for_requests_gives_those_that_came(kafka: FakeKafka) -> None:
    found = kafka.wait_for_request("Produce", client_id="cli", count=2, answered=True)
    assert [entry.version for entry in found] == [3, 7]
    with pytest.raises(TimeoutError, match=r"1 of 2 requests came; the last of all: <Produce v7 by 'svc-1'"):
        kafka.wait_for_request("Produce", client_id="svc-1", count=2)


def test_a_wait_for_requests_that_are_not_remembered_is_refused() -> None:
    kafka = FakeKafka("2.3", journal=0).boot()
    with pytest.raises(UsageError, match="leave out journal=0"):
        kafka.wait_for_request("Produce")
    with pytest.raises(UsageError, match="one request at least"):
        kafka.wait_for_request("Produce", count=0)


def test_requests_forgotten_during_a_wait_still_count() -> None:
    kafka = FakeKafka("2.3", journal=1, topics={"orders": 1}, clock=ManualClock(NOW)).boot()
    condition = kafka._conditions.requests("Produce", 2, None, None, {})
    client = Client(kafka)
    for expected in (False, True):
        client.send(produce(("orders", 0)), 7)
        assert (condition.ask() is not None) == expected
        client.send(MetadataRequest(topics=[]), 5)


def test_the_file_of_json_lines_is_what_diagnose_reads(kafka: FakeKafka, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    kafka.faults.drop("Fetch", how="close")
    Client(kafka).send(fetch(("orders", 0)), 11)
    kafka.requests.to_jsonl(path)
    lines = list(read_journal(path.read_text("utf-8").splitlines()))
    assert [(line.api, line.version) for line in lines] == [
        ("Produce", 7),
        ("Produce", 3),
        ("Produce", 7),
        *[("Fetch", 11)] * 3,
    ]
    assert lines[0].request["topic_data"][0]["name"] == "orders"
    assert lines[2].response is not None
    assert (lines[-1].response, lines[-1].error) == (None, "closed")
    assert (lines[-1].fault or "").startswith("drop Fetch")


def test_an_empty_journal_is_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    FakeKafka("2.3").boot().requests.to_jsonl(path)
    assert path.read_text("utf-8") == ""
