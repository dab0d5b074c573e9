"""Real clients on the stage of a story; here they are scripts that follow orders."""

import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from fakekafka import UsageError
from fakekafka.bugs import Bug, all_bugs, bug
from fakekafka_compat import bug_clients
from fakekafka_compat.bug_clients import as_described, clients_of, environments, run_with_client
from fakekafka_compat.environments import NoEnvironment
from fakekafka_compat.table import Client, Table, default_table, read_table

SCRIPT = """
import json, sys
print(json.dumps({"event": "library", "version": "1"}), flush=True)
task = json.loads(sys.stdin.readline())
step = json.loads(sys.stdin.readline())
for offset in range(GIVES):
    value = "VALUE" or None
    print(json.dumps({"event": "consumed", "partition": 0, "offset": offset, "value": value}), flush=True)
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


def gives(monkeypatch: pytest.MonkeyPatch, records: dict[str, int], value: bytes = b"value") -> None:
    """Each client gives this many records, by its library, with this value."""

    def command(client: Client, cache: Path) -> list[str]:
        if client.library not in records:
            raise NoEnvironment(f"there is no {client.library}")
        return [
            sys.executable,
            "-c",
            SCRIPT.replace("GIVES", str(records[client.library])).replace("VALUE", value.hex()),
        ]

    monkeypatch.setattr(bug_clients, "command", command)


def test_a_client_s_bug_is_read_by_two_clients(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    gives(monkeypatch, {"pykafka": 2, "kafkajs": 6})
    affected, cured = run_with_client(bug("MIXED-MAGIC"), "pykafka==2.8.0", tmp_path)
    assert (affected.wanted, affected.got, cured.got) == (6, 2, 6)
    assert as_described((affected, cured))
    assert str(affected) == "pykafka 2.8.0 on 2.3.1: 2 of 6 records; partitions 1"
    assert str(cured) == "kafkajs 1.5.0 on 2.3.1: 6 of 6 records"


def test_a_record_counts_if_it_comes_as_it_is_stored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    gives(monkeypatch, {"confluent-kafka": 1}, value=b"")
    affected, _ = run_with_client(bug("LIBRDKAFKA-5549"), "", tmp_path)
    assert (affected.wanted, affected.got, affected.others) == (1, 0, 1)
    assert str(affected) == "confluent-kafka 2.6.0 on 2.8.2: 0 of 1 records and 1 others; partitions 1"


def test_a_broker_s_bug_is_read_from_two_releases(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    gives(monkeypatch, {"pykafka": 4})
    affected, cured = run_with_client(bug("KAFKA-6739"), "pykafka==2.8.0", tmp_path)
    assert (affected.side.release, cured.side.release) == ("1.0.1", "1.0.2")
    assert affected.remark == "partitions 2"
    assert not as_described((affected, cured))


def test_records_of_aborted_transactions_are_not_expected(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    gives(monkeypatch, {"confluent-kafka": 3})
    affected, _ = run_with_client(bug("ABORTED-IN-COMPRESSED"), "confluent-kafka==1.5.0", tmp_path)
    assert (affected.wanted, affected.got) == (0, 3)


def test_a_producer_s_records_have_to_arrive_as_they_were_given(tmp_path: Path) -> None:
    """Runs the kafka-python that is installed here."""
    refused, stored = run_with_client(bug("KAFKA-6739-UP"), f"kafka-python=={version('kafka-python')}", tmp_path)
    assert (refused.wanted, refused.got, stored.got) == (3, 0, 3)
    assert refused.remark.endswith("not in the log")
    assert as_described((refused, stored))


def test_old_clients_get_the_python_that_their_bug_names(table: Table) -> None:
    meet = bug("LZ4-FLAGS").real_clients
    assert meet is not None
    (old,) = environments(table, meet.affected, meet)
    assert (old.runtime, old.packages) == ("3.6", ("kafka-python==1.4.2", "lz4", "xxhash"))
    assert environments(table, "kafka-python==3.0.12", meet) == clients_of(table, "kafka-python==3.0.12")


@pytest.mark.parametrize("known", [one for one in all_bugs() if one.real_clients is not None], ids=lambda one: one.id)
def test_the_client_that_shows_a_bug_is_reported_as_hit_and_the_other_is_not(table: Table, known: Bug) -> None:
    meet = known.real_clients
    assert meet is not None
    assert all(clients_of(table, text) for text in (meet.affected, meet.cured) if text)
    anybody = any(one.library.startswith("any ") for one in known.hit)
    assert anybody or any(one.has(*meet.affected.split("==")) for one in known.hit)
    assert not meet.cured or not any(one.has(*meet.cured.split("==")) for one in known.hit)


def test_a_client_that_cannot_run_here_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    gives(monkeypatch, {})
    with pytest.raises(UsageError, match=r"pykafka 2\.8\.0 cannot run here: there is no pykafka"):
        run_with_client(bug("KAFKA-6739"), "pykafka==2.8.0", tmp_path)
    with pytest.raises(UsageError, match="KAFKA-3160 has no story for a real client"):
        run_with_client(bug("KAFKA-3160"), "pykafka==2.8.0", tmp_path)
