"""`fakekafka doctor`."""

import os
from pathlib import Path

import pytest
from fakekafka import FakeKafka
from fakekafka.cli import doctor, main, parser


def test_doctor_says_what_is_installed_and_that_a_broker_starts(capsys: pytest.CaptureFixture[str]) -> None:
    with FakeKafka() as other:
        assert main(["doctor", "--port", str(other.port)]) == 0
    told = dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines())
    assert told["a broker"].strip() == f"starts as Kafka {other.release}"
    assert told[f"port {other.port}"].strip().startswith("cannot be used: ")
    assert told["kafka-python"].split(";")[0].strip() == doctor.installed_version("kafka-python")


def test_a_port_that_nobody_uses_is_free() -> None:
    with FakeKafka() as other:
        port = other.port
    assert doctor.Finding(f"port {port}", "is free") in doctor.examine(port)


def test_a_missing_dependency_is_named_with_its_remedy(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "installed_version", lambda name: None if name == "lz4" else "1.0")
    assert main(["doctor", "--port", "0"]) == 1
    assert "-m pip install lz4\n" in capsys.readouterr().out


def test_an_optional_package_is_reported_with_its_purpose() -> None:
    findings = doctor.examine(0, installed=lambda name: "1" if name in doctor.NEEDED else None)
    told = {finding.what: finding for finding in findings}
    assert 'pip install "fakekafka[tls]"' in told["cryptography"].status
    assert not any(finding.is_missing for finding in told.values())


def test_an_installed_client_says_what_its_codecs_need() -> None:
    assert ("zstd", "zstandard") in doctor.optional_of("kafka-python")
    assert doctor.optional_of("a-client-that-nobody-wrote") == []
    without = {
        finding.what: finding.status for finding in doctor.examine(0, lambda name: None if name == "zstandard" else "1")
    }
    assert without["kafka-python"] == "1; zstd needs zstandard"
    assert without["confluent-kafka"] == "1"


def test_a_missing_client_says_how_to_get_it() -> None:
    told = {finding.what: finding.status for finding in doctor.examine(0, lambda name: None)}
    assert told["aiokafka"] == "not installed; whoever tests with it: pip install aiokafka"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ('openjdk version "17.0.15" 2025-04-15', "17, {path}"),
        ('java version "1.8.0_202"', "8, {path}; Spark needs 17"),
        ('openjdk version "21.0.1" K\xf6ln', "21, {path}"),
        ("nothing of use", "of an unknown version, {path}"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="the stand-in for Java is a shell script")
def test_the_java_of_spark_is_named_with_its_version(
    said: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text(f"#!/bin/sh\necho '{said}' >&2\n", "latin-1")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    found = {finding.what: finding.status for finding in doctor.examine(0, lambda name: None)}
    assert found["Java"] == told.format(path=java)


def test_a_missing_java_is_reported_as_needed_by_spark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    found = {finding.what: finding.status for finding in doctor.examine(0, lambda name: None)}
    assert found["Java"].startswith("not found; only Spark needs it, 17 or later: ")


def test_help_shows_examples_that_the_parser_understands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("  fakekafka ")]
    assert len(shown) >= 5
    for _, *arguments in shown:
        assert callable(parser().parse_args(arguments).command)
