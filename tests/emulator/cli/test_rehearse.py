"""`fakekafka rehearse`, with the example of its page."""

import json
import re
import sys
from pathlib import Path

import pytest
from fakekafka.cli import main
from fakekafka.rehearsal import play

PAGE = Path(__file__).parents[3] / "docs" / "rehearsal.md"
NOTHING = 'from = "0.10.2"\nto = "0.11.0"\nback = false\n'


def block(language: str, number: int = 0) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return str(found[number])


def test_the_example_of_the_page_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("kafka")
    plan = block("toml").replace('"python"', json.dumps(sys.executable)) + 'until = "new protocol, old format"\n'
    plan = "back = false\n" + plan  # a start of Python for each use of the client takes long
    (tmp_path / "plan.toml").write_text(plan, "utf-8")
    (tmp_path / "orders.py").write_text(block("python"), "utf-8")
    assert main(["rehearse", str(tmp_path / "plan.toml")]) == 0
    out = capsys.readouterr().out
    assert out.startswith(block("text"))
    assert out.splitlines()[-1] == "everything held"
    assert out.count("order service: ok") == 2


def test_the_example_with_kills_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("confluent_kafka")
    small = 'config = { "transaction.state.log.num.partitions" = 1 }\n'
    plan = block("toml", 1).replace('"python"', json.dumps(sys.executable))
    (tmp_path / "plan.toml").write_text(small + plan, "utf-8")
    (tmp_path / "till.py").write_text(block("python", 1), "utf-8")
    assert main(["rehearse", str(tmp_path / "plan.toml")]) == 0
    out = capsys.readouterr().out
    assert block("text", 1) in out
    assert out.splitlines()[-1] == "everything held"


def test_the_report_may_be_json_and_the_state_elsewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plan.toml").write_text(NOTHING, "utf-8")
    assert main(["rehearse", str(tmp_path / "plan.toml"), "--json", "--state", str(tmp_path / "here")]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "everything held"
    assert (tmp_path / "here" / "rehearsal.json").exists()


def test_a_broken_client_is_status_1(tmp_path: Path) -> None:
    command = '[[clients]]\ncommand = ["no-such-program"]\n'
    (tmp_path / "plan.toml").write_text(NOTHING + command, "utf-8")
    assert main(["rehearse", str(tmp_path / "plan.toml")]) == 1


def test_a_plan_that_cannot_be_played_is_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plan.toml").write_text('from = "2.3"\nto = "0.10.2"\n', "utf-8")
    assert main(["rehearse", str(tmp_path / "plan.toml")]) == 2
    assert "is not an upgrade" in capsys.readouterr().err


def test_an_interrupted_rehearsal_is_status_2_and_says_how_to_continue(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    (tmp_path / "plan.toml").write_text(NOTHING, "utf-8")
    with monkeypatch.context() as patch:
        patch.setattr(play, "_kept", stopped)
        assert main(["rehearse", str(tmp_path / "plan.toml")]) == 2
    assert "the same command continues" in capsys.readouterr().err
    assert main(["rehearse", str(tmp_path / "plan.toml")]) == 0
    assert main(["rehearse", str(tmp_path / "plan.toml"), "--again"]) == 0
