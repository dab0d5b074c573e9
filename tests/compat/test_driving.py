import sys
from pathlib import Path

import pytest
from fakekafka_compat.driving import Driver, DriverFailed

ECHO = """
import json, os, sys
print(json.dumps({"event": "library", "version": sys.stdin.readline().strip(), "mark": os.environ.get("MARK")}), flush=True)
for line in sys.stdin:
    print(json.dumps({"event": "said", "what": line.strip()}), flush=True)
    print('{"event": "done"}', flush=True)
"""


def driver(folder: Path, script: str, patience_s: float = 60) -> Driver:
    path = folder / "drive.py"
    path.write_text(script)
    return Driver([sys.executable, str(path)], {"MARK": "x"}, patience_s)


def test_each_step_is_answered_before_the_next_one(tmp_path: Path) -> None:
    with driver(tmp_path, ECHO) as echo:
        assert echo.start({"a": 1}) == {"event": "library", "version": '{"a": 1}', "mark": "x"}
        for n in range(2):
            assert echo.step({"n": n}) == [{"event": "said", "what": '{"n": %d}' % n}]
        echo.close()


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("raise SystemExit('no such library')", "ended with 1: no such library"),
        ("print('hello')", "a line that is no event: hello"),
        ("print('[1]')", r"a line that is no event: \[1\]"),
        ('print(\'{"event": "done"}\')', "begins with done"),
    ],
)
def test_a_driver_that_does_not_begin_well_is_told(tmp_path: Path, script: str, words: str) -> None:
    with driver(tmp_path, script) as bad, pytest.raises(DriverFailed, match=words):
        bad.start({})


def test_a_driver_that_ends_within_a_step_is_told(tmp_path: Path) -> None:
    script = ECHO.replace("for line in sys.stdin:", "for line in sys.stdin:\n    sys.exit('enough')")
    with driver(tmp_path, script) as bad, pytest.raises(DriverFailed, match="ended with 1: enough"):
        bad.start({})
        bad.step({})


def test_a_driver_that_ends_badly_is_told(tmp_path: Path) -> None:
    with driver(tmp_path, ECHO + "sys.exit('too late')") as bad, pytest.raises(DriverFailed, match="too late"):
        bad.start({})
        bad.close()


def test_nobody_waits_for_ever(tmp_path: Path) -> None:
    script = ECHO.replace("for line in sys.stdin:", "import time\ntime.sleep(60)\nfor line in sys.stdin:")
    with driver(tmp_path, script, 1) as slow, pytest.raises(DriverFailed, match="said nothing for 1 s"):
        slow.start({})
        slow.step({})


def test_what_cannot_be_started_is_told(tmp_path: Path) -> None:
    with pytest.raises(DriverFailed, match="cannot be started"):
        Driver([str(tmp_path / "none")])
