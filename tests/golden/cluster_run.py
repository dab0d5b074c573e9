"""Replays a recording of several brokers against an emulated cluster, the brokers' transcripts taking turns.

A transcript says what one broker was asked; the order between brokers is given by the notes, which all transcripts
hold. Between two notes the brokers are asked one after the other. Where a broker is restarted, the first thing that the
others are asked comes before it starts again: they are asked until they have noticed that it is gone. Files are
compared at the notes about files: in their state while the brokers ran.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from fakekafka.emulator import FakeKafka
from fakekafka.ids import BrokerId, PartitionIndex, TopicName

from tests.golden.channel import Client
from tests.golden.emulator_peer import whole_config
from tests.golden.form import Difference
from tests.golden.held_clock import HeldClock
from tests.golden.open_differences import FILES
from tests.golden.replay import Mismatch, Replay
from tests.golden.security_lines import SetAcls, SetQuota, SetScramUser
from tests.golden.transcript import Config, Line, Note, Recording, Restart, StoredFile
from tests.golden.trees import compare_trees, read_tree

TOPICS: Final[dict[TopicName, list[BrokerId]]] = {"led-by-a": [0, 1], "led-by-b": [1, 0]}
"""The topics that were created through ZooKeeper before the first line, and their replicas."""
FILES_NOTE: Final = "files of "
FIRST_PORT: Final = 9092
"""The port that Metadata shows; nothing listens there."""


class Node:
    """One broker of an emulated cluster, as the peer of its transcript."""

    def __init__(self, kafka: FakeKafka, node_id: BrokerId, clock: HeldClock, log_dir: Path, config: Config) -> None:
        self.clock = clock
        self.log_dir: Path | None = log_dir
        self.before_start: Callable[[], None] = lambda: None
        """Called when the broker was stopped, before it starts again."""
        self._kafka, self._node_id, self._config = kafka, node_id, config

    @property
    def failures(self) -> Sequence[BaseException]:
        return self._kafka.failures

    def connect(self, listener: str | None = None, source: str | None = None) -> Client:
        return self._kafka.connect(self._node_id)

    def administer(self, line: SetAcls | SetScramUser | SetQuota) -> None:
        raise NotImplementedError("no recording of a cluster has such an event")

    def stop(self, *, kill: bool) -> None:
        leave = self._kafka.kill_broker if kill else self._kafka.stop_broker
        leave(self._node_id)

    def start(self, release: str | None, config: Config | None) -> None:
        self.before_start()
        known = self._kafka.release if release is None else release
        self._config = self._config if config is None else self._config | config
        self._kafka.start_broker(self._node_id, config=whole_config(known, "zk", self._config))

    def create_topic(self, name: TopicName, partitions: int, config: dict[str, str]) -> None:
        self._kafka.create_topic(name, partitions, config)

    def configure_topic(self, name: TopicName, config: dict[str, str]) -> None:
        self._kafka.configure_topic(name, config)

    def delete_topic(self, name: TopicName) -> None:
        self._kafka.delete_topic(name)

    def elect_leader(self, topic: TopicName, partition: PartitionIndex) -> None:
        self._kafka.elect_leader(topic, partition)


def run(recording: Recording, log_dir: Path, *, files: bool = False, strict_text: bool = False) -> list[Mismatch]:
    """Every difference. `log_dir` must be empty."""
    clock = HeldClock(0)
    kafka = _cluster(recording, log_dir, clock)
    replays = {}
    for n, (name, broker) in enumerate(recording.brokers.items()):
        node = Node(kafka, n, clock, log_dir / f"broker-{n}", broker.config)
        lines = recording.transcripts[name]
        replay = Replay(lines, node, frozen=recording.frozen, strict_text=strict_text, controller="zk")
        replays[name] = replay, node
    found: list[Mismatch] = []
    for step in zip(*(_steps(recording.transcripts[name]) for name in replays), strict=True):
        _play(dict(zip(replays.values(), step, strict=True)))
        for name, lines in zip(replays, step, strict=True):
            note = lines[0] if lines and isinstance(lines[0], Note) else None
            if files and note is not None and note.text.startswith(FILES_NOTE):
                found += _files(recording, kafka, name, note, replays[name][0])
    for replay, _ in replays.values():
        found += replay.end()
    kafka.stop()
    return found


def _cluster(recording: Recording, log_dir: Path, clock: HeldClock) -> FakeKafka:
    first, *others = recording.brokers.values()
    config = whole_config(first.release, "zk", first.config)
    kafka = FakeKafka(first.release, config=config, brokers=1 + len(others), log_dir=log_dir, clock=clock)
    kafka._runtime.addresses.ports = [FIRST_PORT + n for n in range(len(recording.brokers))]
    kafka.boot()
    for n, broker in enumerate(others, 1):
        kafka.stop_broker(n)
        kafka.start_broker(n, broker.release, whole_config(broker.release, "zk", broker.config))
    cluster = kafka._running.cluster
    for topic, replicas in TOPICS.items():
        kafka._on_loop(partial(cluster.new_topic, topic, {0: replicas}, {}, with_id=False))
    return kafka


def _steps(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """The lines from note to note."""
    step: list[Line] = []
    for line in lines:
        if isinstance(line, Note):
            yield step
            step = []
        step.append(line)
    yield step


def _play(step: dict[tuple[Replay, Node], list[Line]]) -> None:
    """Play what every broker was asked between two notes."""
    waiting = {who: list(lines) for who, lines in step.items()}
    for (replay, node), lines in step.items():
        if any(isinstance(line, Restart) for line in lines):
            others = {replay_: rest for (replay_, other), rest in waiting.items() if other is not node}
            node.before_start = partial(_ask_first, others)
            end = 1 + next(n for n, line in enumerate(lines) if isinstance(line, Restart))
            replay.play(waiting[replay, node][:end])
            del waiting[replay, node][:end]
    for (replay, _), lines in waiting.items():
        replay.play(lines)


def _ask_first(others: dict[Replay, list[Line]]) -> None:
    """Play the note and the first thing that each broker was asked after it."""
    for replay, lines in others.items():
        replay.play(lines[:2])
        del lines[:2]


def _files(recording: Recording, kafka: FakeKafka, name: str, note: Note, replay: Replay) -> Iterator[Mismatch]:
    """Where the files of one broker differ from those that were kept."""
    step = note.text.removeprefix(f"{FILES_NOTE}{name} after step ").partition(" ")[0]
    folder = f"{step}/{name}/"
    wanted = [StoredFile(f.path.removeprefix(folder), f.content) for f in recording.files if f.path.startswith(folder)]
    place = list(recording.brokers).index(name)
    with tempfile.TemporaryDirectory() as copy:
        kafka.save(copy)
        tree = read_tree(Path(copy) / f"broker-{place}")
    replay.theirs.begin(step)
    replay.ours.begin(step)
    logs = {path: content for path, content in tree.items() if path.endswith(".log")}
    for difference in compare_trees(wanted, logs, replay.theirs, replay.ours):
        yield Mismatch(0, FILES, Difference(f"{folder}{difference.path}", *difference[1:]), note.text)
