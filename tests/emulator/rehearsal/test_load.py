"""A client's turn, with kills in the middle of it. The clients speak just enough Kafka, and need no library."""

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import BrokerWillNotStart
from fakekafka.rehearsal.client_commands import ClientProcess
from fakekafka.rehearsal.kill_part import KillPart
from fakekafka.rehearsal.load import Load
from fakekafka.rehearsal.results import ActResult

STUBBORN = """
import socket, sys
host, port = sys.argv[1].split(",")[-1].split(":")
open("starts", "a").write("started ")
api_versions = bytes((0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 1, 255, 255))
answered = 0
while answered < int(sys.argv[2]):
    try:
        with socket.create_connection((host, int(port)), 30) as connection:
            connection.sendall(api_versions)
            answered += bool(connection.recv(10_000))
    except ConnectionError:
        pass
"""
"""Sends requests until it has that many answers."""


@pytest.fixture
def kafka() -> Iterator[FakeKafka]:
    with FakeKafka("2.3", topics={"t": 1}) as kafka:
        yield kafka


def turn(kafka: FakeKafka, tmp_path: Path, *kills: KillPart, answers: int = 3) -> list[ActResult]:
    command = [sys.executable, "-S", "-c", STUBBORN, kafka.bootstrap_servers, str(answers)]
    return list(Load(kafka, "c", partial(ClientProcess, command, tmp_path), 30).acts(kills))


def test_without_kills_a_client_runs_to_its_end(kafka: FakeKafka, tmp_path: Path) -> None:
    assert turn(kafka, tmp_path) == [ActResult("load", "c")]


def test_a_broker_is_killed_under_a_client_and_comes_back_with_its_records(kafka: FakeKafka, tmp_path: Path) -> None:
    kafka.send("t", b"1")
    killed, load = turn(kafka, tmp_path, KillPart("c", "ApiVersions", 2, broker=0))
    assert killed == ActResult("kill", "broker 0", (), ("at 2 ApiVersions requests", "1 records, 0 commits"))
    assert load == ActResult("load", "c")
    assert [record.value for record in kafka.records("t")] == [b"1"]


def test_a_client_is_killed_and_started_again(kafka: FakeKafka, tmp_path: Path) -> None:
    killed, load = turn(kafka, tmp_path, KillPart("c"))
    assert killed == ActResult("kill", "c", (), ("at 1 request; started again",))
    assert load == ActResult("load", "c")
    assert (tmp_path / "starts").read_text("utf-8") == "started started "


def test_kills_follow_each_other(kafka: FakeKafka, tmp_path: Path) -> None:
    acts = turn(kafka, tmp_path, KillPart("c", broker=0), KillPart("c"), KillPart("c", broker=0))
    assert [(act.act, act.who, act.broke) for act in acts] == [
        ("kill", "broker 0", ()), ("kill", "c", ()), ("kill", "broker 0", ()), ("load", "c", ()),
    ]  # fmt: skip


def test_one_broker_of_several_dies_in_the_middle_of_a_request_to_it(tmp_path: Path) -> None:
    with FakeKafka("2.3", topics={"t": 1}, brokers=2, config={"default.replication.factor": 2}) as kafka:
        kafka.send("t", b"1")
        (killed, _) = turn(kafka, tmp_path, KillPart("c", broker=1))
    assert killed.broke == ()


def test_a_client_that_ends_too_early_is_reported(kafka: FakeKafka, tmp_path: Path) -> None:
    killed, load = turn(kafka, tmp_path, KillPart("c", "Produce", broker=0))
    assert killed.broke == ("nothing was killed: it ended before 1 Produce request",)
    assert load == ActResult("load", "c")


def test_a_broker_that_does_not_come_back_is_reported(
    kafka: FakeKafka, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        monkeypatch.undo()
        kafka.start_broker(0)
        raise BrokerWillNotStart("a bad config")

    monkeypatch.setattr(kafka, "start_broker", refused)
    killed, _ = turn(kafka, tmp_path, KillPart("c", broker=0))
    assert killed.broke == ("a bad config",)


def test_a_client_that_does_not_exist_is_reported(kafka: FakeKafka, tmp_path: Path) -> None:
    (act,) = Load(kafka, "c", partial(ClientProcess, ["no-such-program"], tmp_path), 30).acts([KillPart("c")])
    assert act.broke[0].startswith("cannot be started: ")
