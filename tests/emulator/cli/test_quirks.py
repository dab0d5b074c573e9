"""`fakekafka quirks`: the defects that can be switched."""

import pytest
from fakekafka.cli import main
from fakekafka.releases.quirks import QUIRKS


def test_all_quirks_are_listed_with_the_releases_that_shipped_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["quirks"]) == 0
    head, *lines, legend = capsys.readouterr().out.splitlines()
    assert head.split() == ["quirk", "shipped", "in", "off", "effect"]
    assert legend.startswith("off: ")
    assert [line.split()[0] for line in lines] == [row.name for row in QUIRKS]
    found = next(line for line in lines if line.startswith("KAFKA-6739"))
    assert found.split()[:6] == ["KAFKA-6739", "0.11.0.0", "-", "1.0.1,", "1.1.0", "as"]
    assert "  as 1.0.2  " in found
    assert "  invented  " in next(line for line in lines if line.startswith("FORMAT-LOWERED"))


def test_the_quirks_of_one_release_can_be_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["quirks", "--release", "2.4.0"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:-1]]
    assert "KAFKA-9492" in names
    assert "KAFKA-6739" not in names


def test_a_broker_may_be_explained_or_served_with_switches(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--release", "2.3", "--quirks", "nobody"]) == 2
    assert "no quirk 'nobody'" in capsys.readouterr().err
    assert main(["explain", "--release", "2.3", "--quirks", "repaired"]) == 0
