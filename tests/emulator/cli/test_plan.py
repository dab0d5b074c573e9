"""`fakekafka plan`: the steps of an upgrade, and what they mean to clients."""

import json
from pathlib import Path

import pytest
from fakekafka import FakeKafka
from fakekafka.cli import main

from tests.support.seeded import batch, messages, store


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """Lines without the spaces that make columns."""
    assert main(["plan", *arguments]) == 0
    return [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]


def test_each_step_is_a_row_with_what_it_means_to_each_generation(capsys: pytest.CaptureFixture[str]) -> None:
    head, *rows = printed(capsys, "0.10.2", "2.3")
    assert head.startswith("step phase release settings clients of 0.8 and 0.9 clients of 0.10 clients of 0.11 and")
    assert rows[0] == "0 old code 0.10.2.2 up / converted in place / zero-copy in place / zero-copy"
    assert rows[4] == ("4 new format 2.3.1 protocol 2.3, format 2.3 up / converted up / converted in place / zero-copy")
    assert any("zero-copy: sent as it is stored" in row for row in rows)
    assert any(row.startswith("2.2: connections.max.reauth.ms ends logins") for row in rows)
    assert rows[-1] == "clients of 2.2 and later PLAIN, SCRAM: 0 / bare tokens PLAIN, SCRAM, OAUTHBEARER: 1 / 1"


def test_clients_may_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    head, *rows = printed(capsys, "2.3", "4.1", "--clients", "kafka-python==1.4.7,confluent-kafka==0.11.6")
    assert head.endswith("kafka-python 1.4.7 confluent-kafka 0.11.6")
    table = rows[: rows.index("where clients log in or have rights:")]
    assert all(row.endswith("in place / zero-copy in place / zero-copy") for row in table[:-2])


def test_a_stop_named_by_via_is_a_step(capsys: pytest.CaptureFixture[str]) -> None:
    rows = printed(capsys, "0.9.0", "0.11.0", "--via", "0.10.2")
    assert [row for row in rows if "0.10.2: new code, old format 0.10.2.2" in row]


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Logs of a broker of 2.3, in two formats."""
    path = tmp_path / "logs"
    kafka = FakeKafka("2.3", log_dir=path, topics={"t": 1}).boot()
    store(kafka, messages(1, 0), batch(2, 3))
    kafka.stop()
    return path


def test_the_plan_for_a_directory_says_what_would_be_converted_and_what_would_break(
    capsys: pytest.CaptureFixture[str], directory: Path
) -> None:
    before = {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()}
    lines = printed(capsys, "--from-dir", str(directory), "--clients", "kafka-python==1.3.5,confluent-kafka==2.5.3")
    assert lines[1:3] == [f"t 1 2 2 {len(messages(1, 0))}", f"t 2 1 3 {len(batch(2, 3))}"]
    first = lines.index("0 old code (2.3.1)")
    assert lines[first + 2] == f"kafka-python 1.3.5 t up / converted 3 records, {len(batch(2, 3))} bytes"
    last = next(n for n, line in enumerate(lines) if "4.3: new features" in line)
    assert lines[last + 2] == (
        "kafka-python 1.3.5 t refused Fetch 3 is no longer served; Produce 2 is no longer served"
    )
    assert {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()} == before


def test_a_step_that_costs_no_client_anything_says_so(capsys: pytest.CaptureFixture[str], directory: Path) -> None:
    lines = printed(capsys, "--from-dir", str(directory), "2.3", "2.8", "--clients", "confluent-kafka==2.5.3")
    assert lines.count("nothing is converted or broken, for any client") == 3


@pytest.mark.parametrize(("arguments", "words"), [
    ([], "name FROM and TO"),
    (["2.3"], "name FROM and TO"),
    (["2.3", "2.0"], "not an upgrade"),
    (["2.3", "2.8", "--clients", "nobody==1"], "known are"),
    (["2.3", "2.8", "--clients", ""], "known are"),
    (["--from-dir", "/nowhere/at/all"], "is not a directory"),
])  # fmt: skip
def test_an_impossible_plan_is_reported_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    assert main(["plan", *arguments]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("properties", "moves"), [("version=0\nbroker.id=0\n", True), ("version=1\nnode.id=0\n", False)]
)
def test_the_steps_begin_in_the_mode_of_the_directory(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, properties: str, moves: bool
) -> None:
    (tmp_path / "meta.properties").write_text(properties + "cluster.id=AAAAAAAAAAAAAAAAAAAAAA\n", "utf-8")
    lines = printed(capsys, "3.6", "4.1", "--from-dir", str(tmp_path))
    assert any("KRaft, ZooKeeper kept" in line for line in lines) is moves


def test_advice_is_text_json_or_a_page(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lines = printed(capsys, "0.10.2", "2.3", "--clients", "pykafka==2.8.0", "--advice")
    assert "0 old code (0.10.2.2): where you are" in lines
    assert main(["plan", "0.10.2", "2.3", "--json"]) == 0
    assert [step["step"] for step in json.loads(capsys.readouterr().out)] == [0, 1, 2, 3, 4]
    assert printed(capsys, "0.10.2", "2.3", "--html", str(tmp_path / "plan.html")) == []
    assert "From Kafka 0.10.2.2 to 2.3.1" in (tmp_path / "plan.html").read_text("utf-8")


def test_advice_of_a_directory_estimates_what_is_converted(capsys: pytest.CaptureFixture[str], directory: Path) -> None:
    lines = printed(capsys, "--from-dir", str(directory), "--clients", "kafka-python==1.3.5", "--why")
    assert any(f"{len(batch(2, 3))} bytes a reader, about 0.00 s of CPU" in line for line in lines)


def test_clients_without_an_upgrade_path_are_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "--clients", "pykafka==2.8.0"]) == 2
    assert "name FROM and TO" in capsys.readouterr().err
