"""Real clients on the stage of a story; here they are scripts that follow orders."""

import json
import sys
from pathlib import Path

import pytest
from fakekafka import UsageError
from fakekafka.bugs import bug
from fakekafka_compat import bug_clients
from fakekafka_compat.bug_clients import as_described, clients_of, run_with_client
from fakekafka_compat.environments import NoEnvironment
from fakekafka_compat.table import Client, Table, default_table, read_table

SCRIPT = """
import json, sys
print(json.dumps({"event": "library", "version": "1"}), flush=True)
task = json.loads(sys.stdin.readline())
step = json.loads(sys.stdin.readline())
for _ in range(GIVES):
    print(json.dumps({"event": "consumed"}), flush=True)
print(json.dumps({"event": "error", "error": "partitions %d" % task["partitions"]}), flush=True)
print(json.dumps({"event": "done"}), flush=True)
"""


@pytest.fixture
def table() -> Table:
    return read_table(default_table())


def test_a_client_may_have_any_version(table: Table) -> None:
    found = clients_of(table, "kafka-python==1.4.4")
    assert {client.version for client in found} == {"1.4.4"}
    assert found[0].packages == ("kafka-python==1.4.4", "python-snappy", "lz4", "xxhash")
    assert "kafka-python[snappy,lz4,zstd,crc32c]==1.4.4" in found[-1].packages
    assert clients_of(table, "kafkajs==1.11.0")[0].packages[0] == "kafkajs@1.11.0"


@pytest.mark.parametrize("wrong", ["kafka-python", "kafka-python==x", "nobody==1.0"])
def test_an_unknown_client_is_refused_and_the_known_ones_are_listed(table: Table, wrong: str) -> None:
    with pytest.raises(UsageError, match=r"write NAME==VERSION; there are drivers of .*kafka-python"):
        clients_of(table, wrong)


def gives(monkeypatch: pytest.MonkeyPatch, records: dict[str, int]) -> None:
    """Each client gives this many records, by its library."""

    def command(client: Client, cache: Path) -> list[str]:
        if client.library not in records:
            raise NoEnvironment(f"there is no {client.library}")
        return [sys.executable, "-c", SCRIPT.replace("GIVES", json.dumps(records[client.library]))]

    monkeypatch.setattr(bug_clients, "command", command)


def test_a_client_s_bug_is_read_by_two_clients(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    gives(monkeypatch, {"kafkajs": 2, "kafka-python": 3})
    affected, cured = run_with_client(bug("KAFKA-5443"), "kafkajs==1.11.0", tmp_path)
    assert (affected.wanted, affected.got, cured.got) == (3, 2, 3)
    assert as_described((affected, cured))
    assert str(affected) == "kafkajs 1.11.0 on 2.3.1: 2 of 3 records; partitions 1"


def test_a_broker_s_bug_is_read_from_two_releases(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    gives(monkeypatch, {"pykafka": 4})
    affected, cured = run_with_client(bug("KAFKA-6739"), "pykafka==2.8.0", tmp_path)
    assert (affected.side.release, cured.side.release) == ("1.0.1", "1.0.2")
    assert affected.error == "partitions 2"
    assert not as_described((affected, cured))


def test_records_of_aborted_transactions_are_not_wanted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    gives(monkeypatch, {"confluent-kafka": 3})
    affected, _ = run_with_client(bug("ABORTED-IN-COMPRESSED"), "confluent-kafka==1.5.0", tmp_path)
    assert (affected.wanted, affected.got) == (0, 3)


def test_a_client_that_cannot_run_here_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    gives(monkeypatch, {})
    with pytest.raises(UsageError, match=r"pykafka 2\.8\.0 cannot run here: there is no pykafka"):
        run_with_client(bug("KAFKA-6739"), "pykafka==2.8.0", tmp_path)
    with pytest.raises(UsageError, match="KAFKA-3160 has no story for a real client"):
        run_with_client(bug("KAFKA-3160"), "pykafka==2.8.0", tmp_path)
