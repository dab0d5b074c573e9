"""`fakekafka users`: SCRAM users of a directory, made while no broker runs there."""

import io
from pathlib import Path

import pytest
from fakekafka import FakeKafka
from fakekafka.cli import main
from kafka import KafkaProducer


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """The directory of a broker of 1.1 that has stopped."""
    with FakeKafka("1.1", log_dir=tmp_path).boot():
        return tmp_path


def set_password(monkeypatch: pytest.MonkeyPatch, directory: Path, name: str, password: str, *more: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{password}\n"))
    return main(["users", str(directory), "--set", name, *more])


def test_a_user_who_was_made_before_the_start_can_log_in(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert set_password(monkeypatch, directory, "alice", "wonderland", "--mechanism", "SCRAM-SHA-256") == 0
    assert "wonderland" not in "".join(path.read_text("latin-1") for path in directory.glob("*.json"))
    with FakeKafka("1.1", log_dir=directory, sasl=["SCRAM-SHA-256"], topics={"t": 1}) as kafka:
        login = {"sasl_plain_username": "alice", "sasl_plain_password": "wonderland", "sasl_mechanism": "SCRAM-SHA-256"}
        producer = KafkaProducer(bootstrap_servers=kafka.bootstrap_servers, security_protocol="SASL_PLAINTEXT", **login)
        producer.send("t", b"x").get(timeout=20)
        producer.close()


def test_users_are_listed_and_removed(
    directory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    set_password(monkeypatch, directory, "alice", "one", "--iterations", "5000")
    set_password(monkeypatch, directory, "bob", "two")
    assert main(["users", str(directory), "--remove", "bob"]) == 0
    assert main(["users", str(directory)]) == 0
    assert capsys.readouterr().out.split() == ["user", "mechanism", "iterations", "alice", "SCRAM-SHA-512", "5000"]


def test_an_impossible_change_of_users_is_reported(
    directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["users", str(directory), "--remove", "nobody"]) == 2
    assert set_password(monkeypatch, directory, "alice", "") == 2
    assert set_password(monkeypatch, directory, "alice", "pw", "--iterations", "1") == 2
    assert main(["users", str(tmp_path / "empty")]) == 2
    assert "start a broker on that directory once" in capsys.readouterr().err
