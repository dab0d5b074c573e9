"""`fakekafka diagnose`: what it prints, and how it ends."""

import lzma
from pathlib import Path

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.bugs import bug
from fakekafka.bugs.here import Here
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch
from fakekafka.cli import main
from fakekafka.inspection.journal_lines import written

from tests.support.faults import NOW, Client, produce
from tests.support.journals import journal_of

REAL_BROKER = Path(__file__).parent / "kafka-1.0.1-kafka_6739.pcap.xz"
"""The packets between a real broker 1.0.1, on which the story of KAFKA-6739 had been played, and kafka-python 1.4.7,
which was told to read as with a broker 0.10.1."""


def test_a_journal_names_the_bug_and_how_to_be_sure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = bug("KAFKA-6739")
    assert found.affected is not None
    path = tmp_path / "journal.jsonl"
    path.write_text("\n".join(written(journal_of(found, found.affected))), "utf-8")
    assert main(["diagnose", str(path)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("KAFKA-6739: one record with a header fails every partition")
    assert "  confirm: fakekafka bugs show KAFKA-6739; fakekafka bugs run KAFKA-6739\n" in out


def test_diagnose_takes_the_name_of_a_release(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "client.log"
    path.write_text("java.lang.IllegalArgumentException: Magic v1 does not support record headers", "utf-8")
    assert main(["diagnose", str(path), "--release", "1.0.1"]) == 1
    assert "KAFKA-6739: " in capsys.readouterr().out
    assert main(["diagnose", str(path), "--release", "4.0"]) == 0
    assert main(["diagnose", str(path), "--release", "9.9"]) == 2


def test_a_directory_without_signs_is_status_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t-0").mkdir()
    (tmp_path / "t-0" / "00000000000000000000.log").write_bytes(batch())
    assert main(["diagnose", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "no known bug fits\n"


def test_a_text_log_is_searched_for_known_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "client.log"
    path.write_text("java.lang.IllegalArgumentException: Magic v1 does not support record headers", "utf-8")
    assert main(["diagnose", str(path)]) == 1
    assert "KAFKA-6739-UP: " in capsys.readouterr().out


def test_diagnosing_a_missing_path_is_reported_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagnose", "nowhere.log"]) == 2
    assert "No such file" in capsys.readouterr().err


def test_a_capture_of_the_brokers_port_names_the_bug(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = bug("KAFKA-6739")
    assert found.affected is not None
    assert found.story is not None
    stage = Here(found.affected)
    found.story(Play(stage, found.affected))
    stage.kafka.requests.to_pcap(tmp_path / "c.pcap")
    assert main(["diagnose", str(tmp_path / "c.pcap")]) == 1
    assert "KAFKA-6739: " in capsys.readouterr().out


def test_a_capture_without_signs_is_status_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kafka = FakeKafka("2.3", topics={"t": 1}, clock=ManualClock(NOW)).boot()
    Client(kafka, "consumer").send(produce(("t", 0)), 7)
    kafka.requests.to_pcap(tmp_path / "c.pcap")
    assert main(["diagnose", str(tmp_path / "c.pcap")]) == 0
    assert capsys.readouterr().out == "no known bug fits\n"


def test_a_capture_of_a_real_brokers_port_names_the_bug(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "c.pcap"
    path.write_bytes(lzma.decompress(REAL_BROKER.read_bytes()))
    assert main(["diagnose", str(path)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("KAFKA-6739: one record with a header fails every partition")
    assert out.count("  confirm: ") == 1
    assert "Fetch 3 of kafka-python-1.4.7: every partition of the fetch got -1\n" in out
    assert main(["diagnose", str(path), "--release", "1.0.2"]) == 0
