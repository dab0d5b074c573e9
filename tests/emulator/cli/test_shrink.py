"""`fakekafka shrink`, on a test whose producer is not idempotent: a lost answer makes it store a record twice."""

import sys
from pathlib import Path

import pytest
from fakekafka.cli import main

PLAN = """
[[fault]]
delay = 1
api = "Metadata"

[[fault]]
lose_answer = "close"
api = "Produce"
topic = "orders"
nth = 1

[[fault]]
fail = "LEADER_NOT_AVAILABLE"
api = "Metadata"
times = 1
"""
COMMAND = """
import sys, tomllib
plan = tomllib.load(open(sys.argv[1], "rb"))
sys.exit(any("lose_answer" in fault for fault in plan.get("fault", [])))
"""
KNOWN_BUG = """
import sys
from fakekafka import FakeKafka
from kafka import KafkaProducer

with FakeKafka("2.3", topics={"orders": 1}, faults=sys.argv[1]) as kafka:
    settings = kafka.client_config("kafka-python")
    producer = KafkaProducer(**settings, enable_idempotence=False, retry_backoff_ms=10)
    producer.send("orders", b"1").get(timeout=20)
    producer.close()
    sys.exit(len(kafka.records("orders")) > 1)
"""
LEFT = '[[fault]]\nlose_answer = "close"\napi = "Produce"\nnth = 1\n'


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN, "utf-8")
    return path


def test_the_plan_shrinks_to_the_rules_that_make_the_command_fail(
    plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "command.py").write_text(COMMAND, "utf-8")
    command = [sys.executable, str(tmp_path / "command.py"), "{plan}"]
    assert main(["shrink", str(plan), "--", *command]) == 0
    said = capsys.readouterr()
    assert said.out == LEFT
    assert said.err.startswith("1 of 3 rules are left, after ")


def test_a_producer_that_is_not_idempotent_is_left_with_the_one_fault_that_shows_it(plan: Path, tmp_path: Path) -> None:
    (tmp_path / "known_bug.py").write_text(KNOWN_BUG, "utf-8")
    command = [sys.executable, str(tmp_path / "known_bug.py"), "{plan}"]
    assert main(["shrink", str(plan), "--into", str(tmp_path / "small.toml"), "--", *command]) == 0
    assert (tmp_path / "small.toml").read_text("utf-8") == LEFT


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nowhere.toml", "--", "true"], "nowhere.toml: no such file"),
        (["PLAN", "--", "true"], "nothing breaks under the whole plan"),
        (["PLAN", "--", "no-such-command"], "no-such-command: No such file"),
    ],
)
def test_a_plan_that_cannot_be_shrunk_is_reported_in_one_line(
    plan: Path, arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["shrink", *(str(plan) if word == "PLAN" else word for word in arguments)]) == 2
    assert capsys.readouterr().err.startswith(f"fakekafka: {says}")
