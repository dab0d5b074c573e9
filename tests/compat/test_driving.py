import sys
from pathlib import Path

import pytest
from fakekafka_compat.driving import Driver, DriverFailed

ECHO = """
import json, os, sys
say = lambda **event: print(json.dumps(event), flush=True)
say(event="library", version=sys.stdin.readline().strip(), mark=os.environ.get("MARK"))
for line in sys.stdin:
    say(event="said", what=line.strip())
    say(event="done")
"""


def driver(folder: Path, script: str) -> Driver:
    path = folder / "drive.py"
    path.write_text(script, "utf-8")
    return Driver([sys.executable, str(path)], {"MARK": "x"})


def test_each_step_is_answered_before_the_next_one(tmp_path: Path) -> None:
    with driver(tmp_path, ECHO) as echo:
        assert echo.start({"a": 1}) == {"event": "library", "version": '{"a": 1}', "mark": "x"}
        for n in range(2):
            assert echo.step({"n": n}) == [{"event": "said", "what": f'{{"n": {n}}}'}]
        echo.close()


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("raise SystemExit('no such library')", "ended with 1: no such library"),
        ("print('hello')", "a line that is not an event: hello"),
        ("print('[1]')", r"a line that is not an event: \[1\]"),
        ('print(\'{"event": "done"}\')', "begins with done"),
    ],
)
def test_a_driver_that_fails_to_begin_is_reported(tmp_path: Path, script: str, words: str) -> None:
    with driver(tmp_path, script) as bad, pytest.raises(DriverFailed, match=words):
        bad.start({})


def test_a_driver_that_ends_within_a_step_is_reported(tmp_path: Path) -> None:
    script = ECHO.replace("for line in sys.stdin:", "for line in sys.stdin:\n    sys.exit('enough')")
    with driver(tmp_path, script) as bad:
        bad.start({})
        with pytest.raises(DriverFailed, match="ended with 1: enough"):
            bad.step({})


def test_a_driver_that_ends_badly_is_reported(tmp_path: Path) -> None:
    with driver(tmp_path, ECHO + "sys.exit('too late')") as bad:
        bad.start({})
        with pytest.raises(DriverFailed, match="too late"):
            bad.close()


def test_a_driver_that_does_not_answer_is_given_up(tmp_path: Path) -> None:
    script = ECHO.replace("for line in sys.stdin:", "import time\ntime.sleep(60)\nfor line in sys.stdin:")
    with driver(tmp_path, script) as slow:
        slow.start({})
        slow.patience_s = 0.1
        with pytest.raises(DriverFailed, match=r"said nothing for 0\.1 s"):
            slow.step({})


def test_a_driver_that_cannot_be_started_is_reported(tmp_path: Path) -> None:
    with pytest.raises(DriverFailed, match="cannot be started"):
        Driver([str(tmp_path / "none")])
