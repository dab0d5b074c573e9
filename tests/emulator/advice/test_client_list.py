"""Lists of clients."""

from pathlib import Path

import pytest
from fakekafka import UsageError
from fakekafka.advice.client_list import read_clients


def written(tmp_path: Path, text: str) -> str:
    path = tmp_path / "clients.toml"
    path.write_text(text, "utf-8")
    return str(path)


def test_clients_are_listed_in_a_line_or_in_a_file(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        '[[clients]]\nname = "orders"\nlibrary = "kafka-python"\nversion = "1.4.7"\n'
        '[[clients]]\nlibrary = "pykafka"\nversion = "2.8.0"\n',
    )
    assert [client.name for client in read_clients(path)] == ["orders (kafka-python 1.4.7)", "pykafka 2.8.0"]
    assert [client.name for client in read_clients("kafka-python==1.4.7, pykafka==2.8.0")] == [
        "kafka-python 1.4.7", "pykafka 2.8.0",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["kafka-python==1.4.6", "kafka-python==9.0"])
def test_an_unrecorded_version_is_refused_with_the_recorded_ones(text: str) -> None:
    with pytest.raises(UsageError, match=r"is not known; known versions are 0\.9\.5, 1\.0\.2, .*3\.0\.12"):
        read_clients(text)


@pytest.mark.parametrize("text", ["", ",", "pykafka==2.8.0,"])
def test_a_list_without_a_client_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="write NAME==VERSION; known are kafka-python"):
        read_clients(text)


def test_an_unknown_library_is_refused() -> None:
    with pytest.raises(UsageError, match="write NAME==VERSION"):
        read_clients("nobody==1.0")


@pytest.mark.parametrize("text", ["", "clients = []", "[[clients]]\nversion = '1'", "no toml", "clients = 1"])
def test_a_file_that_is_not_a_list_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError, match=r"clients\.toml"):
        read_clients(written(tmp_path, text))


def test_a_missing_list_of_clients_is_refused() -> None:
    with pytest.raises(UsageError, match="No such file"):
        read_clients("nowhere/clients.toml")
