"""`fakekafka check`."""

from pathlib import Path

import pytest
from fakekafka import FakeKafka
from fakekafka.binary import crc32c
from fakekafka.cli import main
from fakekafka.records import v2
from fakekafka.records.record import Record


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    with FakeKafka("0.10.2", log_dir=tmp_path, topics={"t": 1}).boot() as kafka:
        kafka.send("t", b"apples", key=b"anna")
    return tmp_path


def test_nothing_is_printed_for_a_sound_directory(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(directory)]) == 0
    assert capsys.readouterr().out == ""


def test_each_finding_is_a_line_that_says_what_the_release_would_do(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = directory / "t-0" / "00000000000000000000.log"
    log.write_bytes(log.read_bytes() + b"torn")
    assert main(["check", str(directory)]) == 1
    size = log.stat().st_size - 4
    assert capsys.readouterr().out.splitlines() == [
        f"t-0/00000000000000000000.log at {size}: 4 bytes that are not a whole unit; 0.10.2: after an unclean stop "
        "everything from the recovery point on is read through, and the log ends before it; after a clean one it is "
        "kept",
        "1 findings",
    ]


def test_findings_can_be_explained_for_another_release(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (directory / "t-0" / "00000000000000000007.log.swap").touch()
    assert main(["check", "--release", "3.9", str(directory)]) == 1
    assert "; 3.9: unless a .cleaned file" in capsys.readouterr().out


def test_a_path_that_is_not_a_directory_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path / "x")]) == 2
    assert "is not a directory" in capsys.readouterr().err


def test_records_that_contradict_their_header_are_found_unless_they_are_skipped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = bytearray(v2.build([Record(n, 1000, 0, None, b"v") for n in range(3)]))
    made[v2.LAST_OFFSET_DELTA_AT : v2.LAST_OFFSET_DELTA_AT + 4] = (1).to_bytes(4, "big")
    made[v2.CRC_AT : v2.CRC_AT + 4] = crc32c(bytes(made[v2.ATTRIBUTES_AT :])).to_bytes(4, "big")
    log = tmp_path / "t-0" / "00000000000000000000.log"
    log.parent.mkdir()
    log.write_bytes(made)
    assert main(["check", str(tmp_path), "--skip-records"]) == 0
    assert main(["check", str(tmp_path)]) == 1
    assert "3 records in 2 offsets" in capsys.readouterr().out
