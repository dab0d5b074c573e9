"""The stage that is a real broker. The launcher holds its wall clock, but its timers take real time.

The launcher is a folder with the modules `launch` (`RealBroker`: starts a release, holds its clock), `driver`
(`Session`: requests that are not part of a story) and `_topics` (topics on releases without an API for them). It is not
part of this tree, which only holds what it recorded.
"""

import socket
import sys
import time
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from fakekafka.bugs import Side
from fakekafka.bugs.here import known_settings
from fakekafka.bugs.sets import NOW
from fakekafka.bugs.stage import Closed, NoAnswer, WillNotStart
from fakekafka.ids import ApiKey, DurationMs, TimestampMs, TopicName
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release
from fakekafka.wire.apis import response_class
from fakekafka.wire.frames import SIZE, read_response
from fakekafka.wire.plain import to_plain

from tests.real_stories.cleaner_log import finds_nothing, outcome

RETRIABLE: Final = frozenset({3, 5, 6, 14, 15, 16, 51})
"""The errors while leaders, coordinators and markers are being made. An emulator has these at once."""
ASKED_ABOUT: Final[Mapping[ApiKey, frozenset[int]]] = {ApiKey.TXN_OFFSET_COMMIT: frozenset({14, 15})}
"""The errors that a story wants to see (KAFKA-7296)."""
RETRIED_FOR_S: Final = 8.0
PATIENCE_S: Final = 5.0
AT_ONCE_S: Final = 1.5
SETTLES_S: Final = 1.0
"""The time until markers are written, or a topic's config has been read."""
TASKS_BEGIN_S: Final = 32.0
"""The regular tasks over all logs, such as retention, run for the first time half a minute after the start."""
WITH_TASKS_FROM_MS: Final = 60_000
"""The shortest period of such a task by default (`log.flush.offset.checkpoint.interval.ms`)."""
CLEANED_WITHIN_S: Final = 20.0
DIRT: Final = "log.cleaner.min.cleanable.ratio"
ONLY_IF_ASKED: Final = 1
"""A ratio that no log exceeds."""
QUICK: Final[Mapping[str, object]] = {
    "log.retention.check.interval.ms": 1000,
    "log.flush.offset.checkpoint.interval.ms": 1000,
    "offsets.retention.check.interval.ms": 1000,
    "log.cleaner.enable": "true",
    "log.cleaner.backoff.ms": 200,
    DIRT: ONLY_IF_ASKED,
}
MANY_OFFSETS: Final = 20


class RealStage:
    """A `Stage` with a real broker."""

    def __init__(self, launcher: Path, side: Side) -> None:
        sys.path[:0] = [str(launcher), str(launcher / "scenarios")]
        self.release = side.begins or side.release
        self.now_ms: TimestampMs = NOW
        self._launch: Any = import_module("launch")
        mode = "zk" if "inter.broker.protocol.version" in side.config else Release.parse(self.release).default_mode
        self._broker = self._launch.RealBroker(self.release, self._settings(side.config), NOW, mode)
        self._open: dict[str, socket.socket] = {}
        self._start(None)

    def close(self) -> None:
        """End the broker."""
        self._hang_up()
        self._broker.__exit__()

    def exchange(self, frame: bytes, connection: str) -> bytes:
        end = time.monotonic() + RETRIED_FOR_S
        while True:
            answer = self._ask(frame, connection, PATIENCE_S)
            if not _is_transient(frame, answer) or time.monotonic() > end:
                break
            time.sleep(0.2)
        if _key(frame) in (ApiKey.END_TXN, ApiKey.DELETE_TOPICS):
            time.sleep(SETTLES_S)
        return answer

    def waits(self, frame: bytes, connection: str) -> bool:
        try:
            self._ask(frame, connection, AT_ONCE_S)
        except NoAnswer:
            return True
        return False

    def create_topic(self, name: TopicName, partitions: int, config: Mapping[str, str]) -> None:
        with self._session() as session:
            import_module("_topics").create(self._broker, session, name, partitions, config)

    def configure_topic(self, name: TopicName, config: Mapping[str, str]) -> None:
        with self._session() as session:
            import_module("_topics").configure(self._broker, session, name, config)
        time.sleep(SETTLES_S)

    def advance(self, ms: DurationMs) -> None:
        self.now_ms += ms
        self._broker.set_clock(self.now_ms)
        begins = self._started + TASKS_BEGIN_S if ms >= WITH_TASKS_FROM_MS else 0
        time.sleep(max(2.5, begins - time.monotonic()))

    def restart(self, release: str | None, config: Mapping[str, object] | None, crash: bool) -> None:
        self._hang_up()
        self._broker.kill() if crash else self._broker.stop()
        self.release = release or self.release
        self._start(None if config is None else self._settings(config))

    def edit(self, changes: Mapping[str, bytes | None], crash: bool) -> None:
        self._hang_up()
        self._broker.kill() if crash else self._broker.stop()
        for name, content in changes.items():
            path = self._broker.log_dir / name
            path.unlink() if content is None else path.write_bytes(content)
        self._start(None)

    def compact(self, topic: TopicName) -> bool:
        """Have the topic compacted: an empty segment, added at the log's end while the broker is down, makes all others
        cleanable.

        The cleaner rests before and afterwards, so that it makes no passes of its own.
        """
        self._hang_up()
        self._broker.stop()
        folders = sorted(self._broker.log_dir.glob(f"{topic}-*"))
        ends = {folder.name: _end_of(folder) for folder in folders}
        for folder in folders:
            (folder / f"{ends[folder.name]:0{MANY_OFFSETS}}.log").touch()
        resting = self._broker.config
        self._start({**resting, DIRT: 0})
        finished = self._cleaned(ends)
        self._broker.stop()
        self._start(resting)
        return finished

    def files(self, beginning: str) -> Mapping[str, bytes]:
        root: Path = self._broker.log_dir
        paths = {path.relative_to(root).as_posix(): path for path in root.rglob("*") if path.is_file()}
        return {name: path.read_bytes() for name, path in paths.items() if name.startswith(beginning)}

    # ---- inside

    def _settings(self, config: Mapping[str, object]) -> dict[str, object]:
        known = profile(Release.parse(self.release)).broker_configs
        quick = {name: value for name, value in QUICK.items() if name in known}
        return {**quick, **known_settings(self.release), **config}

    def _start(self, config: dict[str, object] | None) -> None:
        try:
            self._broker.start(self.release, config)
        except self._launch.NotStarted as e:
            raise WillNotStart(str(e)[-500:]) from None
        self._started = time.monotonic()

    def _session(self) -> Any:
        broker = self._broker
        return import_module("driver").Session(broker.host, broker.port, None, self.release, None, self.now_ms)

    def _hang_up(self) -> None:
        for connection in self._open.values():
            connection.close()
        self._open.clear()

    def _ask(self, frame: bytes, connection: str, patience_s: float) -> bytes:
        if connection not in self._open:
            self._open[connection] = socket.create_connection((self._broker.host, self._broker.port))
        channel = self._open[connection]
        channel.settimeout(patience_s)
        try:
            channel.sendall(frame)
            return _read(channel, SIZE.unpack(_read(channel, SIZE.size))[0])
        except TimeoutError:
            failure: Exception = NoAnswer()
        except OSError:
            failure = Closed()
        self._open.pop(connection).close()
        raise failure

    def _cleaned(self, ends: Mapping[str, int]) -> bool:
        until = time.monotonic() + CLEANED_WITHIN_S
        checkpoint = self._broker.log_dir / "cleaner-offset-checkpoint"
        while time.monotonic() < until:
            noted = checkpoint.read_text("ascii") if checkpoint.exists() else ""
            finished = outcome(ends, noted, self._broker.log_text())
            if finished is not None:
                return finished
            time.sleep(0.2)
        if finds_nothing(ends, self._broker.log_text()):
            return True
        raise AssertionError(f"the cleaner neither finished nor stopped: {self._broker.log_text()[-2000:]}")


def _read(channel: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        part = channel.recv(size - len(data))
        if not part:
            raise ConnectionError
        data += part
    return data


def _end_of(folder: Path) -> int:
    """The offset after the last record of a partition."""
    from fakekafka.records.scan import units, view

    last = max(folder.glob("*.log"))
    data = last.read_bytes()
    return max((view(data, unit).last_offset + 1 for unit in units(data)), default=int(last.stem))


def _key(frame: bytes) -> ApiKey:
    return ApiKey(int.from_bytes(frame[4:6], "big"))


def _is_transient(frame: bytes, answer: bytes) -> bool:
    """Whether an answer only says that something is not ready yet."""
    version = int.from_bytes(frame[6:8], "big")
    try:
        message = read_response(response_class(_key(frame)), version, answer)[1]
    except Exception:  # an answer in another layout is a finding, not an error of the recorder
        return False
    retriable = RETRIABLE - ASKED_ABOUT.get(_key(frame), frozenset())
    return not retriable.isdisjoint(_errors(to_plain(message, version)))


def _errors(plain: Any) -> Iterator[int]:
    """Every error code in an answer."""
    if isinstance(plain, dict):
        for name, value in plain.items():
            if name == "error_code":
                yield value
            yield from _errors(value)
    elif isinstance(plain, list):
        for value in plain:
            yield from _errors(value)
