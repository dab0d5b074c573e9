"""The developers' tool, over made-up outcomes of replays."""

from pathlib import Path

import pytest
from fakekafka.settings.options import Pace

from tests.golden import tool
from tests.golden.form import Difference
from tests.golden.open_differences import Entry, OpenDifferences
from tests.golden.replay import Mismatch
from tests.golden.report import numbers
from tests.golden.transcript import Recording


def mismatch(n: int, path: str = "topics[name=a].error_code", got: int = 3, what: str = "METADATA v1") -> Mismatch:
    return Mismatch(n, what, Difference(path, 0, got), "what it shows")


FOUND = [mismatch(8), mismatch(9), mismatch(12), mismatch(9, "controller_id", -1)]


@pytest.fixture
def differing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replays of 2.3.1 differ, those of 2.4.1 cannot be made, others are equal."""

    def run(recording: Recording, log_dir: Path, *, files: bool, strict_text: bool, pace: Pace) -> list[Mismatch]:
        if recording.release == "2.4.1":
            raise RuntimeError("it does not start")
        return FOUND if recording.release == "2.3.1" else []

    monkeypatch.setattr(tool, "run", run)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, object]:
    """What the tool prints, and its exit status."""
    with pytest.raises(SystemExit) as end:
        tool.main(arguments)
    return capsys.readouterr().out, end.value.code


@pytest.mark.usefixtures("differing")
def test_equal_differences_are_shown_once(capsys: pytest.CaptureFixture[str]) -> None:
    out, status = printed(capsys, "2.3.1-handshake")
    assert status == 1
    assert "2.3.1-handshake                          4 differences" in out
    assert "  #8-9, #12 METADATA v1  topics[name=a].error_code\n        recorded  0\n        got       3\n" in out
    assert out.count("under     what it shows") == 2


@pytest.mark.usefixtures("differing")
def test_no_difference_is_success(capsys: pytest.CaptureFixture[str]) -> None:
    out, status = printed(capsys, "3.9.1-handshake")
    assert not status
    assert "0 differences" in out


@pytest.mark.usefixtures("differing")
def test_a_recording_that_cannot_be_replayed_is_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    out, status = printed(capsys, "2.4.1-handshake")
    assert status == 1
    assert "RuntimeError: it does not start" in out
    assert "Traceback" in printed(capsys, "2.4.1-handshake", "--verbose")[0]


@pytest.mark.usefixtures("differing")
def test_only_the_first_kinds_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = printed(capsys, "2.3.1-handshake", "--first", "1")
    assert "controller_id" not in out
    assert "... and 1 more kinds" in out


@pytest.mark.usefixtures("differing")
def test_verbose_shows_the_request(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = printed(capsys, "2.3.1-handshake", "--verbose")
    assert "request   MetadataRequest(topics=" in out


@pytest.mark.usefixtures("differing")
def test_the_summary_is_a_table_and_the_most_frequent_kinds(capsys: pytest.CaptureFixture[str]) -> None:
    out, status = printed(capsys, "2.*-handshake", "2.3.1-admin", "--summary")
    assert status == 1
    head, *rows = out.splitlines()[:3]
    assert head.split() == ["2.0.1", "2.2.2", "2.3.1", "2.4.1", "2.7.2", "2.8.2"]
    assert [row.split() for row in rows] == [["admin", "4"], ["handshake", ".", ".", "4", "!", ".", "."]]
    assert "     6 x METADATA  topics[].error_code" in out
    assert "7 recordings" in out
    assert "! 2.4.1-handshake (1): RuntimeError: it does not start" in out


@pytest.mark.usefixtures("differing")
def test_a_listed_difference_that_is_gone_is_one_with_open_differences_hidden(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = OpenDifferences({}, {}, {"3.9.1-handshake": [Entry.parse("8 topics*", "chance")]})
    monkeypatch.setattr(tool, "open_differences", lambda: listed)
    out, status = printed(capsys, "3.9.1-handshake", "--hide-open")
    assert status == 1
    assert "open.toml  8 topics*" in out
    assert not printed(capsys, "3.9.1-handshake")[1]
    assert not printed(capsys, "3.9.1-handshake", "--hide-open", "--pace", "lifelike")[1]


def test_recordings_are_chosen_by_name_scenario_release_and_pattern() -> None:
    name = "3.0.2-fetch_formats--ibp2.8"
    for pattern in (name, "3.0.2", "fetch_formats", "fetch_formats--ibp2.8", "3.*-fetch*"):
        assert tool._matches(name, [pattern]), pattern
    for pattern in ("fetch", "3.0", "ibp2.8"):
        assert not tool._matches(name, [pattern]), pattern


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(SystemExit, match="no recording is called nonsense"):
        tool.main(["nonsense"])


def test_numbers_in_a_row_are_shortened() -> None:
    assert numbers([3, 1, 2, 7, 9, 10, 9]) == "#1-3, #7, #9-10"
