"""Does to three real brokers what a scenario says, and records it in the form of `tests/golden/trios.py`."""

import socket
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, TypeVar

from fakekafka.ids import ApiKey
from fakekafka.releases.release import Mode
from fakekafka.wire.apis import response_class
from fakekafka.wire.apis.api_versions import ApiVersionsRequest, ApiVersionsResponse
from fakekafka.wire.frames import SIZE, read_response, request_frame
from fakekafka.wire.message import Request, Response

from tests.golden.trios import CLIENT
from tests.real_trios.cluster import BROKERS, QUORUM_LOG, Trio

R = TypeVar("R", bound=Response)

PATIENCE_S: Final = 60.0
PAUSE_S: Final = 0.1
AGREED_S: Final = 1.0
KEPT: Final = (".log", ".index", ".timeindex", ".txnindex", ".snapshot", "leader-epoch-checkpoint")
"""The files of a partition that are kept, by the endings of their names."""
WHILE_RUNNING: Final = (".log", "leader-epoch-checkpoint")
"""The files that are kept while brokers run, as they do not depend on the moment."""


class Recorder:
    """What a scenario acts with. Every method that begins a step records it."""

    def __init__(self, brokers: Trio, mode: Mode) -> None:
        self.brokers = brokers
        self.release = brokers.release
        self.mode = mode
        self.started_ms = round(time.time()) * 1000
        """What the brokers' clocks showed, and the timestamp of the records."""
        self.steps: list[list[Any]] = []
        self.files: dict[str, str] = {}
        self._clients: dict[int, socket.socket] = {}
        found = self._exchange(0, ApiVersionsRequest(), 0, ApiVersionsResponse)[1]
        self.oldest = {api.api_key: api.min_version for api in found.api_keys}
        self.newest = {api.api_key: api.max_version for api in found.api_keys}

    # ---- the life of a broker

    def stop(self, node_id: int) -> None:
        self._change("stop", self.brokers.stop, node_id)

    def kill(self, node_id: int) -> None:
        self._change("kill", self.brokers.kill, node_id)

    def start(self, node_id: int) -> None:
        self._change("start", self.brokers.start, node_id)

    def pause(self, node_id: int) -> None:
        """Have a broker stand still: it replicates nothing until it is resumed."""
        self.brokers.settle()
        self.steps.append(["pause", node_id])
        self.brokers.pause(node_id)

    def resume(self, node_id: int) -> None:
        self.steps.append(["resume", node_id])
        self.brokers.resume(node_id)

    def _change(self, name: str, change: Callable[[int], None], node_id: int) -> None:
        self.brokers.settle()
        self.steps.append([name, node_id])
        self._hang_up(node_id)
        change(node_id)

    def _hang_up(self, node_id: int) -> None:
        client = self._clients.pop(node_id, None)
        if client is not None:
            client.close()

    # ---- requests

    def version(self, request: type[Request], at_most: int) -> int:
        """The newest version that the brokers have, up to `at_most`."""
        return min(at_most, self.newest[request.KEY])

    def has(self, request: Request | type[Request]) -> bool:
        """Whether the brokers have the API."""
        return request.KEY in self.newest

    def ask(self, node_id: int, request: Request, version: int) -> Any:
        """Ask once."""
        frame, answer = self._exchange(node_id, request, version, response_class(ApiKey(request.KEY)))
        self._write("ask", node_id, request, version, frame)
        return answer

    def poll(self, node_id: int, request: Request, version: int, done: Callable[[Any], bool]) -> Any:
        """Ask until the answer is as wanted. Only the last answer is kept."""
        end = time.monotonic() + PATIENCE_S
        while True:
            frame, answer = self._exchange(node_id, request, version, response_class(ApiKey(request.KEY)))
            if done(answer):
                self._write("poll", node_id, request, version, frame)
                return answer
            assert time.monotonic() < end, f"{len(self.steps)} steps, then for ever: {answer}"
            time.sleep(PAUSE_S)

    def agreed(self, request: Request, version: int, told: Callable[[Any], object]) -> None:
        """Wait until all brokers that are awake agree for a while, then keep the answer of each.

        `told` returns the part of an answer that must be the same, or None if it is not yet as wanted.
        """
        kind, end = response_class(ApiKey(request.KEY)), time.monotonic() + PATIENCE_S
        seen: set[str] | None = None
        since = time.monotonic()
        while seen is None or time.monotonic() < since + AGREED_S:
            answers = {str(told(self._exchange(n, request, version, kind)[1])) for n in self.brokers.awake}
            assert time.monotonic() < end, f"{len(self.steps)} steps, then for ever: {answers}"
            is_so = len(answers) == 1 and "None" not in answers
            if not is_so or answers != seen:
                seen, since = answers if is_so else None, time.monotonic()
            time.sleep(PAUSE_S)
        for node_id in self.brokers.awake:
            self._write("poll", node_id, request, version, self._exchange(node_id, request, version, kind)[0])

    def send(self, node_id: int, request: Request, version: int) -> None:
        """Send a request whose answer comes later: `answer` waits for it."""
        self.steps.append(["send", node_id, _frame(request, version).hex()])
        self._client(node_id).sendall(_sized(request, version))

    def answer(self, node_id: int, kind: type[R], version: int) -> R:
        frame = self._read(node_id)
        self.steps.append(["answer", node_id, frame.hex()])
        return read_response(kind, version, frame)[1]

    def _write(self, how: str, node_id: int, request: Request, version: int, frame: bytes) -> None:
        self.steps.append([how, node_id, _frame(request, version).hex(), frame.hex()])

    def _exchange(self, node_id: int, request: Request, version: int, kind: type[R]) -> tuple[bytes, R]:
        self._client(node_id).sendall(_sized(request, version))
        frame = self._read(node_id)
        return frame, read_response(kind, version, frame)[1]

    def _client(self, node_id: int) -> socket.socket:
        if node_id not in self._clients:
            host, _, port = self.brokers.addresses[node_id].rpartition(":")
            self._clients[node_id] = socket.create_connection((host, int(port)), timeout=PATIENCE_S)
        return self._clients[node_id]

    def _read(self, node_id: int) -> bytes:
        (size,) = SIZE.unpack(self._read_exactly(node_id, SIZE.size))
        return self._read_exactly(node_id, size)

    def _read_exactly(self, node_id: int, size: int) -> bytes:
        data = b""
        while len(data) < size:
            part = self._client(node_id).recv(size - len(data))
            assert part, f"broker {node_id} has closed the connection"
            data += part
        return data

    # ---- files

    def keep(self, name: str, nodes: Iterable[int] = BROKERS) -> None:
        """Keep logs and epochs as they are now."""
        self.brokers.settle()
        self.steps.append(["files", name])
        for node_id in nodes:
            self._keep(name, node_id, WHILE_RUNNING)

    def end(self, *, keeps: bool = True) -> None:
        """Stop all brokers that run, the one with the highest id first, and keep what all leave."""
        for node_id in sorted(self.brokers.nodes, reverse=True):
            self.stop(node_id)
        for node_id in BROKERS if keeps else ():
            self._keep("end", node_id, KEPT)
            for path in sorted(self.brokers.logs_of(node_id).glob("*-checkpoint")):
                self._keep_file("end", node_id, path)

    def _keep(self, name: str, node_id: int, endings: tuple[str, ...]) -> None:
        for path in sorted(self.brokers.logs_of(node_id).glob("*-*/*")):
            if path.name.endswith(endings) and _counts(path.parent.name):
                self._keep_file(name, node_id, path)

    def _keep_file(self, name: str, node_id: int, path: Path) -> None:
        below = path.relative_to(self.brokers.logs_of(node_id)).as_posix()
        self.files[f"{name}/broker-{node_id}/{below}"] = path.read_bytes().hex()


def _counts(folder: str) -> bool:
    """Whether a partition's files are kept: not those that will be deleted in a moment."""
    return folder != QUORUM_LOG and not folder.endswith("-delete")


def _sized(request: Request, version: int) -> bytes:
    return request_frame(request, version, 1, CLIENT)


def _frame(request: Request, version: int) -> bytes:
    return _sized(request, version)[SIZE.size :]
