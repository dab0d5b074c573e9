"""The progress bar: only for large files, and only on a terminal."""

import pytest
from fakekafka.cli import progress


@pytest.mark.parametrize(("size", "terminal", "shown"), [(10, True, True), (9, True, False), (10, False, False)])
def test_a_bar_is_for_large_files_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    size: int,
    terminal: bool,
    shown: bool,
) -> None:
    pytest.importorskip("rich")
    monkeypatch.setattr(progress, "LARGE_BYTES", 10)
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    monkeypatch.setattr("sys.stdout.isatty", lambda: False)
    monkeypatch.setenv("TERM", "xterm")
    with progress.of_bytes("orders.log", size) as seen:
        seen(size)
    assert ("orders.log" in capsys.readouterr().err) == shown
