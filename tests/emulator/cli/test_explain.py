"""`fakekafka explain`: how a broker differs from a real one."""

import pytest
from fakekafka import FakeKafka
from fakekafka.cli import main


def test_explain_prints_what_the_broker_explains(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--release", "0.10.2", "--config", "num.partitions=2"]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert lines == [f"  {difference}" for difference in FakeKafka("0.10.2").explain()]
    assert head == f"Kafka 0.10.2.2, played by fakekafka, differs from the real one in {len(lines)} ways"


def test_explain_names_the_drafts_that_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--release", "3.9", "--draft", "KIP-984", "--draft", "atomic-offset-log"]) == 0
    printed = capsys.readouterr().out
    assert "the draft KIP-984 was asked for" in printed
    assert "the draft atomic-offset-log was asked for" in printed
    assert main(["explain", "--draft", "KIP-1"]) == 2
    assert "no draft is called 'KIP-1': one of KIP-984, " in capsys.readouterr().err
