"""`fakekafka completion`: what bash offers once it has read the script."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from fakekafka.cli import main


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("typed", "offered"), [("fakekafka re", "rehearse releases"), ("fakekafka serve --manual", "--manual-clock")]
)
def test_bash_completes_commands_and_options(
    typed: str, offered: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", "bash"]) == 0
    script = tmp_path / "fakekafka"
    script.write_text(capsys.readouterr().out, "utf-8")
    words = typed.split()
    program = f"""
        source {script}
        COMP_WORDS=({typed}) COMP_CWORD={len(words) - 1} COMP_LINE="{typed}" COMP_POINT={len(typed)}
        $(complete -p fakekafka | sed 's/.*-F \\([^ ]*\\).*/\\1/') fakekafka "{words[-1]}" "{words[-2]}"
        echo "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, encoding="utf-8", timeout=60)
    assert sorted(done.stdout.split()) == offered.split(), done.stderr


def test_completion_without_its_library_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "zsh"]) == 2
    assert 'pip install "fakekafka[cli]"' in capsys.readouterr().err
