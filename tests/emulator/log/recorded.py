"""Partition directories of real brokers, and the same story replayed on a log of ours (README beside the samples)."""

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from fakekafka.log import names
from fakekafka.log.append_info import AppendInfo, Origin
from fakekafka.log.config import LogConfig
from fakekafka.log.files import Directory
from fakekafka.log.partition_log import PartitionLog
from fakekafka.records.scan import units_of_any_magic, view

from tests.emulator.log.batches import rules

FOLDER = Path(__file__).parents[2] / "golden" / "log"


class Sample(NamedTuple):
    release: str
    name: str
    config: dict[str, Any]
    steps: list[dict[str, Any]]


@cache
def samples() -> list[Sample]:
    documents = [(path.stem, json.loads(path.read_text("utf-8"))) for path in sorted(FOLDER.glob("*.json"))]
    return [Sample(d["release"], name, d["config"], d["steps"]) for name, d in documents]


class Story:
    """One sample, replayed step by step on a log in `directory`."""

    def __init__(self, sample: Sample, directory: Directory) -> None:
        self.sample = sample
        self.directory = directory
        self.log: PartitionLog | None = None

    def tell(self) -> None:
        """Replay all steps. Each listing of the files is an assertion."""
        for step in self.sample.steps:
            self._step(step, step["at"])

    def _step(self, step: dict[str, Any], at: int) -> None:
        if "open" in step:
            self._open(step["open"], at)
        elif "append" in step:
            self._append(step["append"], at)
        elif "damage" in step:
            for operation in step["damage"]:
                damage(self.directory, operation, at)
        elif "files" in step:
            self._compare(step["files"], step["all"])
        else:
            self._act(step, at)

    def _open(self, how: dict[str, Any], at: int) -> None:
        self.log = PartitionLog.open(
            self.directory,
            rules(self.sample.release),
            LogConfig(**self.sample.config),
            at,
            clean=how["clean"],
            log_start_offset=how["log_start"],
            recovery_point=how["recovery_point"],
        )
        self.log.become_leader(how["epoch"])

    def _append(self, what: dict[str, Any], at: int) -> None:
        assert self.log is not None
        data = bytes.fromhex(what["data"])
        batches = [view(data, unit) for unit in units_of_any_magic(data)]
        info = AppendInfo(
            what["first"], what["last"], what["max_timestamp"], what["at_offset"], batches, Origin(what["origin"])
        )
        result = self.log.append(data, info, at)
        assert (result.error, result.is_duplicate) == (what["error"], what["duplicate"])
        self.log.on_high_watermark(self.log.log_end_offset)

    def _act(self, step: dict[str, Any], at: int) -> None:
        log = self.log
        assert log is not None
        if "delete_records" in step:
            log.advance_log_start(step["delete_records"])
        elif "retention" in step:
            log.delete_old_segments(at, log.log_end_offset)
            log.remove_due_files(at)
        elif step["stop"] == "kill":
            log.crash()
        else:
            log.close(at)
            log.on_recovery_point_checkpoint()

    def _compare(self, files: dict[str, list[Any]], complete: bool) -> None:
        assert self.log is not None
        self.log.write_indexes()
        for name, (size, data) in files.items():
            assert self.directory.exists(name), name
            expected = bytes.fromhex(data).ljust(size, b"\0")
            assert comparable(name, self.directory.read_all(name)) == comparable(name, expected), name
        if complete:
            assert set(self.directory.names()) == set(files)


def comparable(name: str, data: bytes) -> object:
    """A producer snapshot as a set: its order is that of a hash map. Other files are compared as they are."""
    if names.SNAPSHOT not in name:
        return data.hex()
    return data[:2], sorted(data[at : at + 46] for at in range(10, len(data), 46))


def damage(directory: Directory, operation: list[Any], at: int) -> None:
    """One file operation, as it was done while the broker was down."""
    kind, name, *how = operation
    if kind == "utime":
        directory.set_last_modified(name, how[0])
    elif kind == "delete":
        directory.delete(name)
    elif kind == "rename":
        directory.rename(name, how[0])
    else:
        target, content = _changed(directory, kind, name, how)
        directory.replace(target, content)
        directory.set_last_modified(target, at)


def _changed(directory: Directory, kind: str, name: str, how: list[Any]) -> tuple[str, bytes]:
    if kind == "write":
        return name, bytes.fromhex(how[0])
    data = bytearray(directory.read_all(name))
    if kind == "copy":
        return how[0], bytes(data)
    if kind == "flip":
        data[how[0]] ^= how[1]
        return name, bytes(data)
    if kind == "append":
        return name, bytes(data) + bytes.fromhex(how[0])
    size = {"truncate": lambda: how[0], "cut": lambda: len(data) - how[0]}[kind]()
    return name, bytes(data[:size])
