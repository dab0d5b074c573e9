"""Hostile names never reach a terminal raw, on any path."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from fakekafka import FakeKafka
from fakekafka.cli import main
from fakekafka.escaping import escaped, escaped_json
from fakekafka.wire.apis.api_versions import ApiVersionsRequest
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest
from fakekafka.wire.apis.metadata import MetadataRequest
from fakekafka.wire.frames import request_frame

HOSTILE = "\x1b]0;pwn\x07 a\nFAKE LINE ok\r\u202egnp\u2028\x9b2J"
RAW = set(HOSTILE) - set("]0;pwn aFAKELINEokg2J")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("orders-1", "orders-1"),
        ("Bücher 本", "Bücher 本"),
        ("\x1b[31m", r"\x1b[31m"),
        ("a\nb", r"a\nb"),
        ("\u202eabc", r"\u202eabc"),
        ("\x9b", r"\x9b"),
        ("\ud800", r"\ud800"),
        (r"C:\logs", r"C:\logs"),
    ],
)
def test_what_a_terminal_obeys_is_shown_by_its_number(text: str, shown: str) -> None:
    assert escaped(text) == shown


def summary(directory: Path, capsys: pytest.CaptureFixture[str]) -> str:
    kafka = FakeKafka("2.3", topics={"t": 1}, config={"advertised.listeners": None}).boot()
    client = kafka.connect()
    client.send(request_frame(ApiVersionsRequest(), 0, 1, HOSTILE))
    client.send(request_frame(MetadataRequest(topics=[]), 1, 2, HOSTILE))
    client.send(request_frame(FindCoordinatorRequest(key=HOSTILE), 0, 3, HOSTILE))
    text = kafka.summary()
    kafka.stop()
    return text


def check(directory: Path, capsys: pytest.CaptureFixture[str]) -> str:
    FakeKafka("2.3", topics={"t": 1}, log_dir=directory).boot().stop()
    (directory / HOSTILE).mkdir()
    main(["check", str(directory)])
    return "".join(capsys.readouterr())


def dump(directory: Path, capsys: pytest.CaptureFixture[str]) -> str:
    folder = directory / HOSTILE
    folder.mkdir()
    for name in ("replication-offset-checkpoint", "meta.properties"):
        (folder / name).write_text("0\n1\nx 0 5\n" if "offset" in name else "broker.id=0\n", "utf-8")
    main(["dump", *(str(path) for path in sorted(folder.iterdir()))])
    return "".join(capsys.readouterr())


def error(directory: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["check", str(directory / HOSTILE)]) == 2
    return "".join(capsys.readouterr())


@pytest.mark.parametrize("output", [summary, check, dump, error])
def test_hostile_names_leave_no_output_raw(
    output: Callable[[Path, pytest.CaptureFixture[str]], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = output(tmp_path, capsys)
    assert r"\x1b]0;pwn\x07" in text
    assert set(text) & RAW <= {"\n"}
    assert not [line for line in text.splitlines() if line.startswith("FAKE LINE")]


def test_json_means_the_same_when_it_is_escaped() -> None:
    value = {"caf\u00e9": ["\x1b\x9b\u202e\u2028\U000e0001\ud800", "line\nline"]}
    text = escaped_json(json.dumps(value, ensure_ascii=False, indent=1))
    assert json.loads(text) == value
    assert "caf\u00e9" in text
    assert "\\u202e" in text
    assert "\x9b" not in text
    assert len(text.splitlines()) == 6
