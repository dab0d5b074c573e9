"""A recording of what a story does with a real broker, which can be played back in place of the broker.

A tape is a list of steps in the order in which they happened: what the story did, and what came of it. Both classes
below are stages: `Recorder` passes steps to a broker and records them; `Tape` replaces a broker, and insists on the
same steps.
"""

import json
import lzma
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from fakekafka.bugs import Side
from fakekafka.bugs.sets import NOW
from fakekafka.bugs.stage import Closed, NoAnswer, Stage, WillNotStart
from fakekafka.ids import DurationMs, TimestampMs, TopicName

T = TypeVar("T")

RECORDINGS = Path(__file__).parent / "recordings"
ENDINGS = {"closed": Closed, "no answer": NoAnswer, "does not start": WillNotStart}
"""The ways in which a step may end without a value."""

Step: TypeAlias = dict[str, Any]


def path_of(bug: str) -> Path:
    """The file with both sides of a bug's recording."""
    return RECORDINGS / f"{bug}.json.xz"


def save(bug: str, sides: list[list[Step]]) -> None:
    """Write the recording of a bug: the steps of the affected and of the cured side."""
    text = json.dumps(sides, separators=(",", ":"))
    path_of(bug).write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def load(bug: str) -> list[list[Step]]:
    """The recording of a bug."""
    sides: list[list[Step]] = json.loads(lzma.decompress(path_of(bug).read_bytes()))
    return sides


def described(side: Side) -> Step:
    """The first step of a tape: the broker on which it was made."""
    config = {name: str(value) for name, value in side.config.items()}
    return {"do": "start", "release": side.begins or side.release, "config": config}


class Recorder:
    """Passes everything on to a broker, and records it."""

    def __init__(self, stage: Stage, side: Side) -> None:
        self.stage = stage
        self.steps: list[Step] = [described(side)]

    @property
    def release(self) -> str:
        return self.stage.release

    @property
    def now_ms(self) -> TimestampMs:
        return self.stage.now_ms

    def exchange(self, frame: bytes, connection: str) -> bytes:
        step = {"do": "exchange", "connection": connection, "request": frame.hex()}
        return bytes.fromhex(self._note(step, lambda: self.stage.exchange(frame, connection).hex()))

    def waits(self, frame: bytes, connection: str) -> bool:
        step = {"do": "waits", "connection": connection, "request": frame.hex()}
        return self._note(step, lambda: self.stage.waits(frame, connection))

    def create_topic(self, name: TopicName, partitions: int, config: Mapping[str, str]) -> None:
        step = {"do": "create topic", "name": name, "partitions": partitions, "config": dict(config)}
        self._note(step, lambda: self.stage.create_topic(name, partitions, config))

    def configure_topic(self, name: TopicName, config: Mapping[str, str]) -> None:
        step = {"do": "configure topic", "name": name, "config": dict(config)}
        self._note(step, lambda: self.stage.configure_topic(name, config))

    def advance(self, ms: DurationMs) -> None:
        self._note({"do": "advance", "ms": ms}, lambda: self.stage.advance(ms))

    def restart(self, release: str | None, config: Mapping[str, object] | None, crash: bool) -> None:
        step = {"do": "restart", "release": release, "config": _plain(config), "crash": crash}
        self._note(step, lambda: self.stage.restart(release, config, crash))

    def edit(self, changes: Mapping[str, bytes | None], crash: bool) -> None:
        self._note(_edited(changes, crash), lambda: self.stage.edit(changes, crash))

    def compact(self, topic: TopicName) -> bool:
        return self._note({"do": "compact", "topic": topic}, lambda: self.stage.compact(topic))

    def files(self, beginning: str) -> Mapping[str, bytes]:
        found = self.stage.files(beginning)
        # most of an index is zeros
        kept = {name: [len(content), content.rstrip(b"\0").hex()] for name, content in found.items()}
        self.steps.append({"do": "files", "beginning": beginning, "gives": kept})
        return found

    def _note(self, step: Step, act: Callable[[], T]) -> T:
        """Act, and record what came of it."""
        self.steps.append(step)
        try:
            step["gives"] = given = act()
        except tuple(ENDINGS.values()) as e:
            step["ends"] = next(name for name, kind in ENDINGS.items() if isinstance(e, kind))
            raise
        return given


class Tape:
    """A real broker as it was recorded. Raises AssertionError if a story does not do what it did then."""

    def __init__(self, steps: list[Step], side: Side) -> None:
        self.left = iter(steps)
        self.release = side.begins or side.release
        self.now_ms: TimestampMs = NOW
        assert next(self.left) == described(side), "it was recorded on another broker"

    @property
    def is_over(self) -> bool:
        """Whether the story has done everything that it did when it was recorded."""
        return next(self.left, None) is None

    def exchange(self, frame: bytes, connection: str) -> bytes:
        step = {"do": "exchange", "connection": connection, "request": frame.hex()}
        return bytes.fromhex(self._next(step))

    def waits(self, frame: bytes, connection: str) -> bool:
        return bool(self._next({"do": "waits", "connection": connection, "request": frame.hex()}))

    def create_topic(self, name: TopicName, partitions: int, config: Mapping[str, str]) -> None:
        self._next({"do": "create topic", "name": name, "partitions": partitions, "config": dict(config)})

    def configure_topic(self, name: TopicName, config: Mapping[str, str]) -> None:
        self._next({"do": "configure topic", "name": name, "config": dict(config)})

    def advance(self, ms: DurationMs) -> None:
        self._next({"do": "advance", "ms": ms})
        self.now_ms += ms

    def restart(self, release: str | None, config: Mapping[str, object] | None, crash: bool) -> None:
        self._next({"do": "restart", "release": release, "config": _plain(config), "crash": crash})
        self.release = release or self.release

    def edit(self, changes: Mapping[str, bytes | None], crash: bool) -> None:
        self._next(_edited(changes, crash))

    def compact(self, topic: TopicName) -> bool:
        return bool(self._next({"do": "compact", "topic": topic}))

    def files(self, beginning: str) -> Mapping[str, bytes]:
        kept = self._next({"do": "files", "beginning": beginning})
        return {name: bytes.fromhex(content).ljust(size, b"\0") for name, (size, content) in kept.items()}

    def _next(self, done: Step) -> Any:
        step = next(self.left, {"do": "nothing more"})
        assert {key: step.get(key) for key in done} == done, f"recorded was {step}"
        if "ends" in step:
            raise ENDINGS[step["ends"]]
        return step["gives"]


def _edited(changes: Mapping[str, bytes | None], crash: bool) -> Step:
    plain = {name: None if content is None else content.hex() for name, content in changes.items()}
    return {"do": "edit", "changes": plain, "crash": crash}


def _plain(config: Mapping[str, object] | None) -> dict[str, str] | None:
    return None if config is None else {name: str(value) for name, value in config.items()}
