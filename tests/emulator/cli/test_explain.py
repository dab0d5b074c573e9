"""`fakekafka explain`: by what a broker differs from a real one."""

import pytest
from fakekafka import FakeKafka
from fakekafka.cli import main


def test_explain_prints_what_the_broker_explains(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--release", "0.10.2", "--config", "num.partitions=2"]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert lines == [f"  {difference}" for difference in FakeKafka("0.10.2").explain()]
    assert head == f"Kafka 0.10.2.2, played by fakekafka, differs from the real one in {len(lines)} ways"
