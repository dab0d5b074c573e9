"""Whole rehearsals, with clients that need no time."""

import json
import sys
from pathlib import Path

import pytest
from fakekafka import FakeKafka, UsageError
from fakekafka.rehearsal.play import forget, rehearse
from fakekafka.rehearsal.report import as_data, as_text
from fakekafka.rehearsal.results import Progress
from fakekafka.rehearsal.script import read_script

PYTHON = json.dumps([sys.executable, "-S", "-c"])[1:-1]


def untold(number: int, total: int, name: str) -> None:
    """A progress callback for rehearsals that nobody watches."""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(text, "utf-8")
    return path


def client(code: str) -> str:
    return (
        f'\n[[clients]]\nname = "c"\ncommand = [{PYTHON}, {json.dumps(code)}, "{{release}}", "{{step}}", "{{act}}"]\n'
    )


def played(path: Path) -> Progress:
    return rehearse(read_script(path), path.parent / "state", untold)


def acts(progress: Progress) -> list[list[str]]:
    return [[act.act for act in step.acts] for step in progress.done]


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Logs of a 0.10.2 with a record in format 1 and a commit."""
    path = tmp_path / "logs"
    kafka = FakeKafka("0.10.2", log_dir=path, topics={"orders": 1}).boot()
    kafka.send("orders", b"one", b"k", timestamp=kafka.clock.now_ms)
    kafka.stop()
    return path


def test_each_step_is_taken_left_and_taken_again(tmp_path: Path, directory: Path) -> None:
    code = "import sys; open('log', 'a').write('/'.join(sys.argv[1:]) + '\\n')"
    before = {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()}
    progress = played(written(tmp_path, 'to = "0.11.0"\ndirectory = "logs"' + client(code)))
    turn = ["verify", "load", "verify"]
    whole = ["step", *turn, "back", *turn, "forward", *turn]
    assert acts(progress) == [["begin", "load", "verify"], whole, whole, whole, whole]
    assert (progress.status, progress.ended) == (0, True)
    assert (tmp_path / "log").read_text("utf-8").splitlines()[:4] == [
        "0.10.2.2/old code/begin", "0.11.0.3/new code, old format/step", "0.10.2.2/old code/back",
        "0.11.0.3/new code, old format/forward",
    ]  # fmt: skip
    assert "1 records, 0 commits" in as_text(progress)
    assert {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()} == before
    assert [path.name for path in (tmp_path / "state").iterdir()] == ["rehearsal.json"]


def test_the_report_says_what_broke_at_which_step(tmp_path: Path) -> None:
    code = "import sys; sys.exit('cannot read' if sys.argv[2] == 'new format' else 0)"
    script = 'from = "0.10.2"\nto = "0.11.0"\nback = false\ntopics = {t = 1}' + client(code)
    progress = played(written(tmp_path, script))
    assert progress.status == 1
    assert [step.held for step in progress.done] == [True, True, True, True, False]
    assert as_text(progress).splitlines()[-4:] == [
        "   " + " " * 8 + " !! ended with 1: cannot read",
        "   verify   0 records, 0 commits",
        "",
        "SOMETHING BROKE in step 4",
    ]
    last = as_data(progress)["done"][-1]
    assert last["acts"][2] == {"act": "load", "client": "c", "broke": ["ended with 1: cannot read"], "notes": []}


def test_a_rehearsal_that_was_stopped_continues_with_its_step(tmp_path: Path) -> None:
    path = written(tmp_path, 'from = "0.10.2"\nto = "0.11.0"\ntopics = {t = 2}')

    def stop_at_3(number: int, total: int, name: str) -> None:
        if number == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rehearse(read_script(path), tmp_path / "state", stop_at_3)
    assert {one.name for one in (tmp_path / "state").iterdir()} == {"rehearsal.json", "after-step-2"}
    begun: list[int] = []
    progress = rehearse(read_script(path), tmp_path / "state", lambda number, total, name: begun.append(number))
    assert (begun, progress.status, len(progress.done)) == ([3, 4], 0, 5)
    assert rehearse(read_script(path), tmp_path / "state", stop_at_3) == progress


def test_a_changed_plan_is_started_over_only_when_asked_to(tmp_path: Path) -> None:
    text = 'from = "0.10.2"\nto = "0.11.0"\nback = false\n'
    played(written(tmp_path, text))
    path = written(tmp_path, text + "via = []\n")
    with pytest.raises(UsageError, match=r"the plan has changed .* --again"):
        played(path)
    forget(tmp_path / "state")
    assert played(path).status == 0


def test_a_migration_to_kraft_has_no_way_back_at_its_end(tmp_path: Path) -> None:
    script = 'from = "3.8"\nto = "3.9"\nvia = ["KRaft"]\n[topics]\nt = 1\n[config]\n"zookeeper.connect" = "here:2181"\n'
    progress = played(written(tmp_path, script))
    assert progress.status == 0
    assert [act.notes for act in progress.done[-1].acts if act.act == "back"] == [
        ("ZooKeeper has been left for good: no step goes back there",)
    ]
