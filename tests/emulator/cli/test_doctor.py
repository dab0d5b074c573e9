"""`fakekafka doctor`."""

import pytest
from fakekafka import FakeKafka
from fakekafka.cli import doctor, main, parser


def test_doctor_says_what_is_installed_and_that_a_broker_starts(capsys: pytest.CaptureFixture[str]) -> None:
    with FakeKafka() as other:
        assert main(["doctor", "--port", str(other.port)]) == 0
    told = dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines())
    assert told["a broker"].strip() == f"starts as Kafka {other.release}"
    assert told[f"port {other.port}"].strip().startswith("cannot be used: ")
    assert told["kafka-python"].strip() == doctor.installed_version("kafka-python")


def test_a_port_that_nobody_uses_is_free() -> None:
    with FakeKafka() as other:
        port = other.port
    assert doctor.Finding(f"port {port}", "is free") in doctor.examine(port)


def test_a_missing_dependency_is_named_with_its_cure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "installed_version", lambda name: None if name == "lz4" else "1.0")
    assert main(["doctor", "--port", "0"]) == 1
    assert "-m pip install lz4\n" in capsys.readouterr().out


def test_what_is_optional_is_reported_with_its_purpose() -> None:
    findings = doctor.examine(0, installed=lambda name: "1" if name in doctor.NEEDED else None)
    told = {finding.what: finding for finding in findings}
    assert 'pip install "fakekafka[tls]"' in told["cryptography"].found
    assert not any(finding.is_missing for finding in told.values())


def test_help_shows_examples_that_the_parser_understands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("  fakekafka ")]
    assert len(shown) >= 5
    for _, *arguments in shown:
        assert callable(parser().parse_args(arguments).command)
