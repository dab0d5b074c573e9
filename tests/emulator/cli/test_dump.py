"""`fakekafka dump`."""

import json
from pathlib import Path

import pytest
from fakekafka import FakeKafka
from fakekafka.cli import main


@pytest.fixture
def log(tmp_path: Path) -> Path:
    with FakeKafka("2.3", log_dir=tmp_path, topics={"t": 1}).boot() as kafka:
        kafka.send("t", b"apples", key=b"anna")
    return tmp_path / "t-0" / "00000000000000000000.log"


def test_dump_prints_readable_lines(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dump", str(log)]) == 0
    batch, record = capsys.readouterr().out.splitlines()
    assert batch.split()[:3] == ["0", "batch", "magic=2"]
    assert record.endswith("key='anna' value='apples'")


def test_dump_prints_json_on_request(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dump", "--json", "--batches", str(log)]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["count"] == 1


def test_several_files_have_headings(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    epochs = log.with_name("leader-epoch-checkpoint")
    assert main(["dump", str(log), str(epochs)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{log}:"
    assert lines[-2:] == [f"{epochs}:", "checkpoint epoch=0 startOffset=0"]


def test_dumping_a_damaged_file_is_status_1(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log.write_bytes(log.read_bytes()[:-1])
    assert main(["dump", str(log)]) == 1
    assert "broken why=no whole batch" in capsys.readouterr().out


def test_a_file_of_an_unknown_kind_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x").write_text("", "utf-8")
    assert main(["dump", str(tmp_path / "x")]) == 2
    assert "not a file that a broker writes" in capsys.readouterr().err
