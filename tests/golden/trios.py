"""Three real brokers of one release: what they were asked and answered, and the files that they left.

    {"release": "2.8.2", "controller": "zk", "config": {...},       all brokers', on top of what all recordings share
     "started_ms": 1795000000000,      what their clocks showed, and how old the records are
     "steps": [["ask", broker, "<request in hex>", "<answer in hex>"], ["poll", ...], ["send", broker, "<request>"],
               ["answer", broker, "<answer>"], ["stop", broker], ["kill", broker], ["start", broker],
               ["pause", broker], ["resume", broker], ["files", name], …],
     "files": {"<name>/broker-0/x-0/leader-epoch-checkpoint": "<hex>", …, "end/broker-0/x-0/…": "<hex>"}}

This is the form of `pairs.py` with requests in place of "produce". Frames are without their sizes. "ask": asked once;
"poll": asked until this answer came, since real brokers take time. "send" and "answer": a request whose answer came
later. "pause": the broker stood still, so that it copied nothing, until "resume". "files": logs and leader epochs while
brokers ran; "end": what all brokers had left after they were stopped, one after the other. Broker `n` is in rack
"r<n>". The brokers ran on the real clock: times that they wrote themselves do not count, as a client's records are a
little older. All are in `trio_recordings/`; `tests/real_trios` made them.
"""

import json
import lzma
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from fakekafka import BrokerSettings, FakeKafka, ManualClock
from fakekafka.ids import ApiKey, BrokerId, TimestampMs
from fakekafka.releases.release import Mode, Release
from fakekafka.server.memory import MemoryClient
from fakekafka.wire.apis import response_class
from fakekafka.wire.frames import SIZE, read_key_and_version, read_response

from tests.golden.canonical import canonical
from tests.golden.emulator_peer import whole_config
from tests.golden.form import ANYTHING, Difference, Form, Labels, differences
from tests.golden.transcript import StoredFile, age
from tests.golden.trees import compare_trees, read_tree

FOLDER: Final = Path(__file__).parent / "trio_recordings"
CLIENT: Final = "trios"
BROKERS: Final = 3
STEP_MS: Final = 6_000
"""The time that passes after each change in the life of a broker: real brokers had replicated everything by then."""
SETTLED_MS: Final = 1_000
"""The time that had passed before the first record came, since a client's timestamps are older."""
LASTED_MS: Final = 3_600_000
"""Longer than any recording took."""
TIME_ENTRY: Final = re.compile(r"(\d+) -> \d+")
POLL_MS: Final = 500
TRIES: Final = 20
FIRST_PORT: Final = 9092
"""The port that Metadata shows; nothing listens there."""
END: Final = "end"
ANY_CONTROLLER: Final = "controller_id"
"""A KRaft broker names any broker as the controller; a ZooKeeper broker names the one that came first."""


@dataclass(frozen=True, slots=True)
class Trio:
    """What was done to three brokers, what they answered and left."""

    release: str
    controller: Mode
    config: dict[str, str]
    started_ms: TimestampMs
    steps: list[list[Any]]
    files: tuple[StoredFile, ...]


def names() -> list[str]:
    """All trios, by age of the release."""
    found = [path.name.removesuffix(".json.xz") for path in FOLDER.glob("*.json.xz")]
    return sorted(found, key=lambda name: (age(name.partition("-")[0]), name))


def load(name: str) -> Trio:
    """The trio of that name."""
    kept = json.loads(lzma.decompress((FOLDER / f"{name}.json.xz").read_bytes()))
    files = tuple(StoredFile(path, bytes.fromhex(content)) for path, content in kept["files"].items())
    return Trio(kept["release"], kept["controller"], kept["config"], kept["started_ms"], kept["steps"], files)


def differing(trio: Trio, log_dir: Path) -> list[Difference]:
    """Where the emulator's answers and files differ. `log_dir` must be empty."""
    play = _Play(trio, log_dir)
    try:
        return [found for found in play.run() if not _differs_in_times_only(found, trio.started_ms)]
    finally:
        play.stop()


def _differs_in_times_only(found: Difference, started_ms: TimestampMs) -> bool:
    return _timeless(found.recorded, started_ms) == _timeless(found.got, started_ms)


def _timeless(value: Form, started_ms: TimestampMs) -> Form:
    """A value without times that brokers wrote themselves, and without their positions in a time index."""

    def is_own(ms: int) -> bool:
        return started_ms + SETTLED_MS <= ms < started_ms + LASTED_MS

    match value:
        case int():
            return ANYTHING if is_own(value) else value
        case str():
            entry = TIME_ENTRY.fullmatch(value)
            return ANYTHING if entry is not None and is_own(int(entry[1])) else value
        case bytes():
            time = re.compile(re.escape(started_ms.to_bytes(8, "big")[:4]) + b"....", re.DOTALL)
            return time.sub(lambda found: b"*" * 8 if is_own(int.from_bytes(found[0], "big")) else found[0], value)
    return value


class _Play:
    def __init__(self, trio: Trio, log_dir: Path) -> None:
        self._trio = trio
        self._log_dir = log_dir
        self._clock = ManualClock(trio.started_ms + SETTLED_MS)
        config = whole_config(trio.release, trio.controller, dict(trio.config))
        settings = [BrokerSettings(config={"broker.rack": f"r{n}"}) for n in range(BROKERS)]
        self._kafka = FakeKafka(trio.release, config=config, brokers=settings, log_dir=log_dir, clock=self._clock)
        self._kafka._runtime.addresses.ports = [FIRST_PORT + n for n in range(BROKERS)]
        self._kafka.boot()
        self._clients: dict[BrokerId, MemoryClient] = {}
        self._sent: dict[BrokerId, tuple[bytes, bytes]] = {}
        self._theirs, self._ours = Labels(frozen=False), Labels(frozen=False)
        for labels in (self._theirs, self._ours):
            labels.release, labels.mode = Release.parse(trio.release), trio.controller

    def run(self) -> Iterator[Difference]:
        for number, step in enumerate(self._trio.steps):
            what, *rest = step
            for labels in (self._theirs, self._ours):
                labels.begin(str(number))
            match what:
                case "ask" | "poll":
                    yield from self._ask(f"step {number}, {what}", TRIES if what == "poll" else 1, *rest)
                case "send":
                    self._send(*rest)
                case "answer":
                    yield from self._answer(f"step {number}, late", *rest)
                case "files":
                    yield from self._files(rest[0])
                case _:
                    self._change(what, rest[0])
        assert not self._kafka.failures, self._kafka.failures
        yield from self._compare_files(END, self._log_dir)

    def stop(self) -> None:
        """Stop the brokers that still run."""
        self._kafka.stop()

    # ---- requests

    def _ask(self, place: str, tries: int, node_id: BrokerId, request: str, recorded: str) -> Iterator[Difference]:
        frame, wanted = bytes.fromhex(request), bytes.fromhex(recorded)
        for left in reversed(range(tries)):
            answered = self._await(node_id, self._client(node_id).send(SIZE.pack(len(frame)) + frame))
            found = self._compare(place, node_id, frame, wanted, answered, preview=bool(left))
            if not found:
                break
            if left:
                self._clock.advance(POLL_MS)
        yield from found

    def _send(self, node_id: BrokerId, request: str) -> None:
        frame = bytes.fromhex(request)
        self._sent[node_id] = frame, self._client(node_id).send(SIZE.pack(len(frame)) + frame)

    def _answer(self, place: str, node_id: BrokerId, recorded: str) -> Iterator[Difference]:
        frame, begun = self._sent.pop(node_id)
        yield from self._compare(place, node_id, frame, bytes.fromhex(recorded), self._await(node_id, begun))

    def _await(self, node_id: BrokerId, answered: bytes) -> bytes:
        """The answer without its size; time passes until it comes."""
        for _ in range(100):
            if answered or self._client(node_id).closed:
                break
            self._clock.advance(POLL_MS)
            answered = self._client(node_id).receive()
        return answered[SIZE.size :]

    def _compare(
        self, place: str, node_id: BrokerId, request: bytes, recorded: bytes, got: bytes, *, preview: bool = False
    ) -> list[Difference]:
        key, version = read_key_and_version(request)
        name = f"{place} of broker {node_id}: {ApiKey(key).name} v{version}: "
        if not got:
            return [Difference(name, "an answer", "no answer")]
        if preview:
            with self._theirs.preview(), self._ours.preview():
                return list(
                    differences(_form(key, version, recorded, self._theirs), _form(key, version, got, self._ours))
                )
        return list(
            differences(_form(key, version, recorded, self._theirs), _form(key, version, got, self._ours), name)
        )

    def _client(self, node_id: BrokerId) -> MemoryClient:
        if node_id not in self._clients:
            self._clients[node_id] = self._kafka.connect(node_id)
        return self._clients[node_id]

    # ---- the life of a broker

    def _change(self, what: str, node_id: BrokerId) -> None:
        match what:
            case "stop" if len(self._kafka.brokers()) == 1:
                self._kafka.stop()
            case "stop":
                self._kafka.stop_broker(node_id)
            case "kill":
                self._kafka.kill_broker(node_id)
            case "start":
                self._kafka.start_broker(node_id)
            case "pause":
                self._kafka.pause_replication(node_id)
                return
            case "resume":
                self._kafka.resume_replication(node_id)
            case _:
                raise ValueError(f"nobody knows the step {what!r}")
        if what in ("stop", "kill"):
            self._clients.pop(node_id, None)
        self._clock.advance(STEP_MS)

    # ---- files

    def _files(self, name: str) -> Iterator[Difference]:
        with tempfile.TemporaryDirectory() as copy:
            self._kafka.save(copy)
            yield from self._compare_files(name, Path(copy))

    def _compare_files(self, name: str, log_dir: Path) -> Iterator[Difference]:
        for node_id in range(BROKERS):
            folder = f"{name}/broker-{node_id}/"
            wanted = [
                StoredFile(f.path.removeprefix(folder), f.content)
                for f in self._trio.files
                if f.path.startswith(folder)
            ]
            kinds = {Path(file.path).suffix or Path(file.path).name for file in wanted}
            tree = read_tree(log_dir / f"broker-{node_id}")
            found = {
                path: content
                for path, content in tree.items()
                if (Path(path).suffix or Path(path).name) in kinds and "-delete/" not in path
            }
            for difference in compare_trees(wanted, found, self._theirs, self._ours):
                yield Difference(folder + difference.path, difference.recorded, difference.got)


def _form(key: int, version: int, frame: bytes, labels: Labels) -> Form:
    correlation_id, answer = read_response(response_class(ApiKey(key)), version, frame)
    form = canonical(answer, version, labels)
    if ANY_CONTROLLER in form:
        form[ANY_CONTROLLER] = form[ANY_CONTROLLER] != -1
    return {"correlation_id": correlation_id, **form}
