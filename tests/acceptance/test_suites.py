"""The reports of the suites' own runners are read, and a checkout is checked before its tests are run."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from fakekafka.control.http_server import ControlServer
from fakekafka.releases.release import Release

from tests.acceptance import (
    aiokafka_suite,
    kafka_rust_suite,
    kafkajs_suite,
    librdkafka_suite,
    platformatic_suite,
    sarama_suite,
)
from tests.acceptance.lane import NoSuite
from tests.acceptance.outcomes import Outcome
from tests.acceptance.setups import setup


def test_a_report_of_jest_is_read(tmp_path: Path) -> None:
    tests = [
        {"fullName": "Admin works", "status": "passed", "failureMessages": []},
        {"fullName": "Admin fails", "status": "failed", "failureMessages": ["Error: no\n    at a line"]},
        {"fullName": "Admin waits", "status": "pending", "failureMessages": []},
    ]
    files: list[dict[str, Any]] = [
        {"name": str(tmp_path / "src" / "a.spec.js"), "assertionResults": tests, "message": ""},
        {"name": str(tmp_path / "src" / "b.spec.js"), "assertionResults": [], "message": "does not parse\nat all"},
    ]
    assert list(kafkajs_suite.outcomes({"testResults": files}, tmp_path)) == [
        Outcome("src/a.spec.js > Admin works", "passed", ""),
        Outcome("src/a.spec.js > Admin fails", "failed", "Error: no"),
        Outcome("src/a.spec.js > Admin waits", "skipped", "pending"),
        Outcome("src/b.spec.js", "failed", "does not parse"),
    ]


def test_a_report_of_librdkafka_is_read() -> None:
    states = {
        "<MAIN>": "PASSED",
        "0001": "PASSED",
        "0002": "FAILED",
        "0003": "SKIPPED",
        "0004": "RUNNING",
        "0005": "DNS",
    }
    report = {"tests": {name: {"state": state, "extra": "", "duration": 1.5} for name, state in states.items()}}
    report["tests"]["0006"] = {"state": "SKIPPED", "extra": "not chosen", "duration": 0.0}
    assert list(librdkafka_suite.outcomes(report)) == [
        Outcome("0001", "passed", ""),
        Outcome("0002", "failed", "FAILED"),
        Outcome("0003", "skipped", "SKIPPED"),
        Outcome("0004", "failed", "RUNNING"),
    ]


def test_the_lines_of_cargo_are_read() -> None:
    lines = """running 3 tests
test integration::works ... ok
test integration::fails ... FAILED
test integration::waits ... ignored

---- integration::fails stdout ----
thread 'integration::fails' (17) panicked at tests/test_kafka.rs:9:5:
assertion failed: false
"""
    assert list(kafka_rust_suite.outcomes(lines.splitlines(), "GZIP")) == [
        Outcome("integration::works[GZIP]", "passed", ""),
        Outcome("integration::fails[GZIP]", "failed", "assertion failed: false"),
        Outcome("integration::waits[GZIP]", "skipped", ""),
    ]


def test_kafka_rust_needs_cargo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda tool: None)
    with pytest.raises(NoSuite, match="needs Cargo"):
        kafka_rust_suite.ready(tmp_path, None)


@pytest.mark.parametrize("missing", librdkafka_suite.TOOLS)
def test_librdkafka_names_the_tools_that_it_lacks(
    missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda tool: None if tool == missing else f"/bin/{tool}")
    with pytest.raises(NoSuite, match=rf"needs {missing.replace('+', '.')}; not found"):
        librdkafka_suite.ready(tmp_path, None)


def test_a_folder_that_is_not_a_checkout_of_kafkajs_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda tool: f"/bin/{tool}")
    with pytest.raises(NoSuite, match=r"is not a checkout of kafkajs 2\.2\.4"):
        kafkajs_suite.ready(tmp_path, tmp_path)
    (tmp_path / "package.json").write_text(json.dumps({"name": "kafkajs", "version": "2.2.4"}), "utf-8")
    (tmp_path / "src").mkdir()
    with pytest.raises(NoSuite, match="has no jest"):
        kafkajs_suite.ready(tmp_path, tmp_path)


def test_platformatic_names_what_it_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NoSuite, match=r"is not a checkout of @platformatic/kafka 2\.9\.0"):
        platformatic_suite.ready(tmp_path, tmp_path)
    (tmp_path / "package.json").write_text(json.dumps({"name": "@platformatic/kafka", "version": "2.9.0"}), "utf-8")
    (tmp_path / "src").mkdir()
    with pytest.raises(NoSuite, match="has no node_modules"):
        platformatic_suite.ready(tmp_path, tmp_path)
    (tmp_path / "node_modules").mkdir()
    monkeypatch.setattr(shutil, "which", lambda tool: None)
    with pytest.raises(NoSuite, match="needs Node 22"):
        platformatic_suite.ready(tmp_path, tmp_path)


def test_platformatic_runs_tests_that_ask_brokers_and_knows_releases_by_confluents_versions(tmp_path: Path) -> None:
    for name in ("apis/a.test.ts", "clients/base/b.test.ts", "clients/base/sasl-gssapi.test.ts", "network/c.test.ts"):
        path = tmp_path / "test" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert list(platformatic_suite.files(tmp_path)) == ["test/clients/base/b.test.ts"]
    assert platformatic_suite.confluents(setup("4.1")) == "8.1.0"


def test_another_version_of_aiokafka_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoSuite, match="but of something different"):
        aiokafka_suite.ready(tmp_path / "new", tmp_path)
    (tmp_path / "aiokafka").mkdir()
    (tmp_path / "aiokafka" / "__init__.py").write_text('__version__ = "0.12.0"\n', "utf-8")
    with pytest.raises(NoSuite, match=r"aiokafka 0\.14\.0, but of 0\.12\.0"):
        aiokafka_suite.ready(tmp_path / "new", tmp_path)


def test_the_fixtures_of_aiokafka_are_replaced_in_a_copy(tmp_path: Path) -> None:
    checkout, folder = tmp_path / "checkout", tmp_path / "new"
    for name, text in {
        "aiokafka/__init__.py": '__version__ = "0.14.0"',
        "tests/conftest.py": "import os\n",
        "pyproject.toml": "",
    }.items():
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text(text, "utf-8")
    folder.mkdir()
    aiokafka_suite.ready(folder, checkout)
    assert (folder / "tests" / "conftest.py").read_text("utf-8") == "import os\n" + aiokafka_suite.STAND_INS
    assert not (folder / "aiokafka").exists()
    assert (checkout / "tests" / "conftest.py").read_text("utf-8") == "import os\n"


def test_sarama_stops_and_starts_brokers_without_docker(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with sarama_suite.brokers(Release.parse("3.9")) as kafka, ControlServer(kafka) as control:
        monkeypatch.setenv(sarama_suite.CONTROL, control.url)
        running = kafka._running.cluster.brokers
        assert sarama_suite.docker(["compose", "stop", "kafka-2"]) == 0
        assert sorted(running) == [1, 3, 4, 5]
        for _ in range(2):
            assert sarama_suite.docker(["compose", "start", "kafka-2"]) == 0
            assert sorted(running) == [1, 2, 3, 4, 5]
        assert sarama_suite.docker(["compose", "stop", "kafka-9"]) == 1
        assert sarama_suite.docker(["compose", "logs", "kafka-2"]) == 1
        assert "only stops and starts brokers" in capsys.readouterr().err
