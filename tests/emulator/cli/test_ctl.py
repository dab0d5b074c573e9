"""`fakekafka ctl`: operations as commands, results as JSON, errors in one line."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.cli import main
from fakekafka.control.http_server import ControlServer


@pytest.fixture
def kafka(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeKafka]:
    clock = ManualClock()
    with FakeKafka("2.3", topics={"orders": 1}, clock=clock) as kafka, ControlServer(kafka, token="secret") as control:
        monkeypatch.setenv("FAKEKAFKA_CONTROL_URL", control.url)
        monkeypatch.setenv("FAKEKAFKA_CONTROL_TOKEN", "secret")
        yield kafka


def test_an_operation_is_a_command(kafka: FakeKafka, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ctl", "create-topic", "more", "--partitions", "3"]) == 0
    assert capsys.readouterr().out == ""
    assert main(["ctl", "send", "more", "--partition", "1", '{"json": {"a": 1}}', "--key", "anna"]) == 0
    assert main(["ctl", "records", "more"]) == 0
    offset, _, rest = capsys.readouterr().out.partition("\n")
    (record,) = json.loads(rest)
    assert (offset, record["partition"], record["key"], record["value"]) == ("0", 1, "anna", '{"a": 1}')


def test_text_is_printed_as_it_is(kafka: FakeKafka, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ctl", "summary"]) == 0
    assert capsys.readouterr().out.startswith("Kafka 2.3.1, 1 broker")


def test_a_rule_is_given_as_json(kafka: FakeKafka, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ctl", "add-fault", '{"fail": "NOT_LEADER_OR_FOLLOWER", "api": "Produce"}']) == 0
    assert len(kafka.faults.rules) == json.loads(capsys.readouterr().out)["id"] == 1


def test_a_snapshot_is_a_file(kafka: FakeKafka, tmp_path: Path) -> None:
    kafka.send("orders", b"before")
    file = str(tmp_path / "snapshot.zip")
    assert main(["ctl", "snapshot", file]) == 0
    kafka.send("orders", b"after")
    assert main(["ctl", "restore", file]) == 0
    assert [record.value for record in kafka.records("orders")] == [b"before"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["records", "nothing"], "no topic 'nothing'; there are: orders"),
        (["advance-clock", "soon"], "ms: 'soon' is not JSON"),
        (["--token", "wrong", "clock"], "Authorization"),
        (["--url", "nonsense", "clock"], "'nonsense' is not the address of a control API"),
        (["--url", "http://127.0.0.1:1", "clock"], "the control API at http://127.0.0.1:1 does not answer"),
        (["restore", "/nothing/at/all"], "/nothing/at/all"),
    ],
)
def test_an_error_is_one_line(
    kafka: FakeKafka, words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ctl", *words]) == 2
    errors = capsys.readouterr().err
    assert told in errors
    assert errors.count("\n") == 1


def test_help_lists_the_operations_and_their_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    for words, told in ((["--help"], "create-topic"), (["create-topic", "--help"], "--partitions")):
        with pytest.raises(SystemExit, match="0"):
            main(["ctl", *words])
        assert told in capsys.readouterr().out


def test_an_unknown_operation_is_reported_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["ctl", "explode"])
    errors = capsys.readouterr().err
    assert "invalid choice: 'explode'" in errors
    assert errors.count("\n") == 1
