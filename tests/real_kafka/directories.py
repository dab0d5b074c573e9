"""Log directories with which Kafka does not start: `python -m tests.real_kafka.directories LAUNCHER 2.8.2 3.6.2/kraft`.

A real broker has one topic and stops cleanly. Then each of `CASES` that was not asked yet is done to a copy of its
directory, and the broker is started on it: `directories.json` has the messages of the exceptions in its log, and
nothing if it starts. The emulator must do the same (`tests/golden/test_refused_directories.py`). LAUNCHER is
a folder with modules that start releases, see `tests/real_stories/real_stage.py`.
"""

import json
import re
import shutil
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from subprocess import TimeoutExpired
from typing import Any, Final

from fakekafka.log.names import CLEAN_SHUTDOWN
from fakekafka.records import v0, v2
from fakekafka.records.record import Record
from fakekafka.releases.release import Mode, Release, mode_called

from tests.golden import disk

DIRECTORIES: Final = Path(__file__).with_name("directories.json")
TOPIC: Final = "t"
LOG: Final = f"{TOPIC}-0/00000000000000000000"
SETTINGS: Final = {"log.cleaner.enable": "false"}
STARTS_WITHIN_S: Final = 90
SETTLES_S: Final = 2
CLUSTER: Final = "cluster.id=golden-cluster-AAAAAAA\n"
"""The id that the launcher's clusters have in KRaft mode."""
Op = tuple[Any, ...]


def _written(path: str, text: str) -> list[Op]:
    return [("write", path, text.encode().hex())]


def _marked(mark: str) -> list[Op]:
    return [("copy", f"{LOG}.log", f"gone-0.{'0123456789abcdef' * 2}-{mark}/00000000000000000000.log")]


OLD_MESSAGE: Final = v0.build([Record(0, -1, 0, b"k", b"v")]).hex()


def _batch(offset: int) -> str:
    return v2.build([Record(offset, 1_600_000_000_000, 0, b"k", b"v")], base_offset=offset, leader_epoch=0).hex()


CASES: Final[Mapping[str, list[Op]]] = {
    "a directory without a hyphen": _written("stranger/file", "x"),
    "a directory without a number": _written("some-thing/file", "x"),
    "a directory without a topic": _written("-1/file", "x"),
    "a deleted partition": _marked("delete"),
    "a partition on its way": _marked("future"),
    "a stray partition": _marked("stray"),
    "a partition on its way, beside itself": [
        ("copy", f"{LOG}.log", f"{TOPIC}-0.{'0123456789abcdef' * 2}-future/00000000000000000000.log")
    ],
    "the quorum's log": _written("__cluster_metadata-0/file", "x"),
    "the cache of tiered storage": _written("remote-log-index-cache/file", "x"),
    "an unreadable checkpoint of recovery points": _written("recovery-point-offset-checkpoint", "nonsense\n"),
    "an unreadable checkpoint of log starts": _written("log-start-offset-checkpoint", "nonsense\n"),
    "an unreadable checkpoint of high watermarks": _written("replication-offset-checkpoint", "nonsense\n"),
    "meta.properties of KRaft": _written("meta.properties", f"version=1\nnode.id=0\n{CLUSTER}"),
    "meta.properties without a version": _written("meta.properties", "broker.id=0\n"),
    "meta.properties with the cluster, without a version": _written("meta.properties", f"broker.id=0\n{CLUSTER}"),
    "meta.properties of version 2": _written("meta.properties", f"version=2\nnode.id=0\nbroker.id=0\n{CLUSTER}"),
    "an index of 12 bytes": [("write", f"{LOG}.index", "00" * 12)],
    "zeros at a log's end": [("append", f"{LOG}.log", "00" * 40)],
    "zeros behind a message": [("write", f"{LOG}.log", OLD_MESSAGE + "00" * 40)],
    "a partition that nobody knows": _written("stranger-0/00000000000000000000.log", ""),
    "a segment below the log's start, after a kill": [
        ("write", f"{LOG}.log", _batch(0)),
        ("write", f"{TOPIC}-0/00000000000000000001.log", _batch(1)),
        *_written("log-start-offset-checkpoint", f"0\n1\n{TOPIC} 0 1\n"),
        *_written("recovery-point-offset-checkpoint", "0\n0\n"),
        ("delete", CLEAN_SHUTDOWN),
    ],
}
"""What is done to a directory, by what it then has. Not every release was asked about the last three."""


def key_of(release: Release, mode: Mode) -> str:
    """The name of a release in the file."""
    return f"{release}/{mode}"


def parsed(key: str) -> tuple[Release, Mode]:
    """The release, and the mode: its default if none is given."""
    name, _, mode = key.partition("/")
    release = Release.parse(name)
    return release, mode_called(mode) if mode else release.default_mode


def said(launcher: Any, session: Any, release: Release, mode: Mode, cases: Iterable[str]) -> dict[str, list[str]]:
    """What a real broker says in each case."""
    found: dict[str, list[str]] = {}
    with launcher.RealBroker(str(release), SETTINGS, controller=mode) as broker:
        with session(broker.host, broker.port, None, str(release)) as client:
            client.make_topic(TOPIC)
        broker.stop()
        kept = broker.workdir / "kept"
        shutil.copytree(broker.log_dir, kept)
        for what in cases:
            shutil.rmtree(broker.log_dir)
            shutil.copytree(kept, broker.log_dir)
            for op in CASES[what]:
                disk.apply(broker.log_dir, op)
            try:
                broker.start(timeout=STARTS_WITHIN_S)
                stays = _stays(broker)
                broker.stop()
            except launcher.NotStarted:
                stays = False
            found[what] = []
            if not stays:
                text = broker.log_text().replace(str(broker.workdir / "metadata"), "METADATA")
                found[what] = _messages(text.replace(str(broker.log_dir), "FOLDER"))
            print(release, mode, what, found[what], flush=True)
    return found


def _stays(broker: Any) -> bool:
    """Whether a broker that has started goes on: some end when they have begun to serve."""
    try:
        broker.process.popen.wait(SETTLES_S)
    except TimeoutExpired:
        return True
    return False


def _messages(log: str) -> list[str]:
    """The messages of the exceptions in a log, each once."""
    lines = [line.strip() for line in log.splitlines() if not line.strip().startswith("at ")]
    hits = [re.search(r"(?:Exception|Error): (.+)", line) for line in lines]
    return list(dict.fromkeys(hit[1][:300] for hit in hits if hit))[:8]


def main(launcher: str, keys: list[str]) -> None:
    sys.path.insert(0, launcher)
    modules = import_module("launch"), import_module("driver").Session
    for key in keys:
        release, mode = parsed(key)
        kept = json.loads(DIRECTORIES.read_text("utf-8")) if DIRECTORIES.exists() else {}
        known = kept.setdefault(key_of(release, mode), {})
        known |= said(*modules, release, mode, [what for what in CASES if what not in known])
        ordered = {one: kept[one] for one in sorted(kept, key=parsed)}
        DIRECTORIES.write_text(json.dumps(ordered, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
