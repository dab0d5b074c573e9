"""A recording of a real broker: what it was asked, what it answered, what happened to it, what it left on disk.

A recording is a list of `Line`s in the order in which they happened. The form of the files is described in
`recordings/README.md`. This module does not know the protocol: requests and answers are bytes here.

It is long, since it has the class and the reader of each kind of line side by side.
"""

import json
import lzma
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, TypeAlias

from fakekafka.ids import DurationMs, TimestampMs, TopicName, TopicPartition
from fakekafka.releases.release import Mode

from tests.golden.security_lines import SecurityLine, security_line

RECORDINGS = Path(__file__).parent / "recordings"
DATADIR = "datadir"
"""The name, beside the recordings of a release, of a data directory that it left."""

Config: TypeAlias = dict[str, str | None]
"""Broker or topic configs. None removes one of the settings that all recordings share."""


class End(Enum):
    """How a request ended without an answer."""

    CLOSED = "the connection was closed"
    SILENCE = "no answer"
    NOT_ASKED = "no answer was asked for"
    ABANDONED = "nobody waited for the answer"


@dataclass(frozen=True, slots=True)
class Ref:
    """A value of a request that came from an earlier answer, and differs in each run."""

    path: str
    """Where in the request it stands, as in `groups[0].member_id`."""
    exchange: int
    answer_path: str
    """Where in the answer of `exchange` it stood."""
    batch: int | None = None
    """For a producer id in record bytes: the position of its batch."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and how it ended."""

    n: int
    """Its number in the recording."""
    connection: str
    clock_ms: TimestampMs | None
    """What the broker's wall clock showed; None if it showed the real time."""
    request: bytes
    """The frame without its size, except when not `framed`: then the bytes as they were sent."""
    outcome: bytes | End
    """The answer's frame without its size."""
    api_key: int | None = None
    """None for bytes that are not a request."""
    api_version: int = -1
    layout: int = -1
    """The version whose layout the request's body has: `api_version`, but for versions that the broker lacks."""
    answer_version: int = -1
    """The version whose layout the answer has."""
    decodable: bool = False
    """Whether the answer is one that can be decoded."""
    framed: bool = True
    half_closed: bool = False
    """Whether the client closed its sending side after these bytes."""
    polled: bool = False
    """Whether the request was repeated until this answer came."""
    sent_before: bool = False
    """Whether the request was sent where an earlier `Sent` stands; here its answer was awaited."""
    silent_ms: DurationMs = 0
    """How long the recorder waited, if nothing came."""
    refs: tuple[Ref, ...] = ()
    scram: str = ""
    """ "first" or "final": the step of a SCRAM login that this is."""
    scram_signature: str = ""
    """In the final step, the last answer of a server that knows the password."""
    exact_throttle: bool = False
    """Whether the throttle time follows from the frozen clock, and counts."""


@dataclass(frozen=True, slots=True)
class Start:
    """The broker was started for the first time."""

    release: str
    clock_ms: TimestampMs | None


@dataclass(frozen=True, slots=True)
class SetClock:
    """The broker's wall clock was moved."""

    clock_ms: TimestampMs


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file below the log directory."""

    path: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Restart:
    """The broker was stopped or killed, and started again on the same files. All connections ended."""

    release: str | None
    """None if it is the release that ran before; likewise for `config`."""
    config: Config | None
    kill: bool
    ops: tuple[tuple[Any, ...], ...]
    """What was done to its files in between: see `disk.apply`."""
    stopped: tuple[StoredFile, ...]
    """Some of its files as they were before that."""


@dataclass(frozen=True, slots=True)
class Disconnect:
    """The client closed a connection."""

    connection: str


@dataclass(frozen=True, slots=True)
class ExpectClose:
    """Whether the broker closed a connection on which nothing was awaited."""

    connection: str
    closed: bool


@dataclass(frozen=True, slots=True)
class Sent:
    """The request of exchange `n` was sent here; its answer was waited for later, if at all."""

    n: int


@dataclass(frozen=True, slots=True)
class CreateTopic:
    """A topic was created through ZooKeeper."""

    name: TopicName
    partitions: int
    config: dict[str, str]


@dataclass(frozen=True, slots=True)
class ConfigureTopic:
    """All configs of a topic were replaced through ZooKeeper."""

    name: TopicName
    config: dict[str, str]


@dataclass(frozen=True, slots=True)
class DeleteTopic:
    """A topic was deleted through ZooKeeper."""

    name: TopicName


@dataclass(frozen=True, slots=True)
class LoseLeaders:
    """Partitions lost their leader in ZooKeeper: the next start elects one, in a new epoch."""

    partitions: tuple[TopicPartition, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """What the following lines show. `files`: the files at that moment. `more`: everything else that was written
    down.
    """

    text: str
    files: tuple[StoredFile, ...] = ()
    more: dict[str, Any] = field(default_factory=dict)


Line: TypeAlias = (
    Exchange | Start | SetClock | Restart | Disconnect | ExpectClose | Sent
    | CreateTopic | ConfigureTopic | DeleteTopic | LoseLeaders | Note | SecurityLine
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RecordedBroker:
    """One broker of a recorded cluster."""

    release: str
    config: Config
    """On top of the settings that all recordings share."""


@dataclass(frozen=True, slots=True)
class Recording:
    """One recording. `name` is `<release>-<scenario>`, and `--<configuration>` if the scenario has several."""

    name: str
    scenario: str
    release: str
    """The first one, if the broker became another."""
    config: Config
    """On top of the settings that all recordings share."""
    controller: Mode | None
    """ "zk" or "kraft"; None is the release's default."""
    frozen: bool
    """Whether the wall clock stood still."""
    transcripts: dict[str, tuple[Line, ...]]
    """One, named "", or one for each broker of a cluster."""
    files: tuple[StoredFile, ...]
    """The files in the log directory at the end; in scenarios with steps, below one folder for each step."""
    brokers: dict[str, RecordedBroker]
    """The brokers of a cluster, by the names of their transcripts; their ids count from 0. Empty for a single
    broker.
    """
    listeners: dict[str, str] = field(default_factory=dict)
    """Protocols of the listeners beside PLAINTEXT, by name."""
    jaas: str = ""
    """The broker's JAAS file."""
    features: dict[str, int] | None = None
    """Levels of the cluster's features, if it was formatted with others than the release's own."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """The transcript of a recording of one broker."""
        (lines,) = self.transcripts.values()
        return lines


@dataclass(frozen=True, slots=True)
class DataDirectory:
    """A whole data directory, and what a consumer read from it (as JSON, see `recordings/README.md`)."""

    release: str
    contents: dict[str, Any]
    files: tuple[StoredFile, ...]


def names(folder: Path = RECORDINGS) -> list[str]:
    """The names of all recordings, by age of the release."""
    found = [p for p in folder.glob("*/*.jsonl.xz") if stem(p) != DATADIR]
    return [f"{p.parent.name}-{stem(p)}" for p in sorted(found, key=lambda p: (age(p.parent.name), p.name))]


def releases_with_data(folder: Path = RECORDINGS) -> list[str]:
    """The releases that have a data directory, oldest first."""
    return sorted((p.parent.name for p in folder.glob(f"*/{DATADIR}.jsonl.xz")), key=age)


def load(name: str, folder: Path = RECORDINGS) -> Recording:
    """The recording of that name."""
    release, _, rest = name.partition("-")
    return parse(name, _json_lines(folder / release / f"{rest}.jsonl.xz"))


def parse(name: str, json_lines: Iterable[dict[str, Any]]) -> Recording:
    """The recording that these lines hold."""
    meta, *lines = json_lines
    transcripts: dict[str, list[Line]] = {}
    files: list[StoredFile] = []
    part = ""
    for line in lines:
        if "transcript" in line:
            part = line["transcript"]
        elif "file" in line:
            files.append(_file(line["file"], line))
        else:
            transcripts.setdefault(part, []).append(_line(line))
    config = meta.get("config") or {}
    return Recording(
        name=name,
        scenario=meta["scenario"],
        release=meta["release"],
        config=_config(config),
        controller=meta.get("controller"),
        frozen=meta["clock_ms"] is not None,
        transcripts={part: tuple(found) for part, found in transcripts.items()},
        files=tuple(files),
        brokers={name: _broker(broker, meta["common"]) for name, broker in meta.get("brokers", {}).items()},
        listeners=config.get("@listeners", {}),
        jaas=config.get("@jaas", ""),
        features=config.get("@features"),
    )


def _broker(broker: dict[str, Any], common: dict[str, Any]) -> RecordedBroker:
    return RecordedBroker(broker["release"], _config(broker["config"] | common))


def load_data_directory(release: str, folder: Path = RECORDINGS) -> DataDirectory:
    """The data directory that `release` left."""
    contents, *lines = _json_lines(folder / release / f"{DATADIR}.jsonl.xz")
    return DataDirectory(release, contents, tuple(_file(line["file"], line) for line in lines))


def stem(path: Path) -> str:
    """The name of a recording's file, without suffixes."""
    return path.name.removesuffix(".jsonl.xz")


def age(release: str) -> tuple[int, ...]:
    """Sorts releases, oldest first."""
    return tuple(map(int, release.split(".")))


def _json_lines(path: Path) -> Iterator[dict[str, Any]]:
    for text in lzma.decompress(path.read_bytes()).splitlines():
        yield json.loads(text)


def _line(line: dict[str, Any]) -> Line:
    if "event" in line:
        return _event(line["event"], line)
    if "note" in line:
        more = {k: v for k, v in line.items() if k not in ("note", "files")}
        return Note(line["note"], _files(line.get("files", {})), more)
    return _exchange(line)


def _exchange(line: dict[str, Any]) -> Exchange:
    version = line.get("api_version", -1)
    layout = line.get("layout", version)
    return Exchange(
        n=line["n"],
        connection=line["conn"],
        clock_ms=line["clock_ms"],
        request=bytes.fromhex(line["request_hex"]),
        outcome=_outcome(line),
        api_key=line.get("api_key"),
        api_version=version,
        layout=layout,
        answer_version=line.get("response_version", layout if "response_hex" not in line else version),
        decodable="api_key" in line and "undecoded" not in line,
        framed=line.get("framed", True),
        half_closed=line.get("half_close", False),
        polled=line.get("poll", False),
        sent_before=line.get("async", False),
        silent_ms=line.get("no_answer_ms", 0),
        refs=tuple(Ref(*ref) for ref in line.get("refs", ())),
        scram=line.get("scram", {}).get("step", ""),
        scram_signature=line.get("scram", {}).get("expect") or "",
        exact_throttle=line.get("exact_throttle", False),
    )


def _outcome(line: dict[str, Any]) -> bytes | End:
    if "response_hex" in line:
        return bytes.fromhex(line["response_hex"])
    if "abandoned" in line:
        return End.ABANDONED
    if "closed" in line:
        return End.CLOSED
    return End.SILENCE if "no_answer_ms" in line else End.NOT_ASKED


def _event(kind: str, line: dict[str, Any]) -> Line:
    match kind:
        case "start":
            return Start(line["release"], line["clock_ms"])
        case "set_clock":
            return SetClock(line["clock_ms"])
        case "restart":
            config = line["config"]
            ops = tuple(map(tuple, line.get("ops", ())))
            stopped = _files(line.get("stopped", {}))
            return Restart(line["release"], None if config is None else _config(config), line["kill"], ops, stopped)
        case "disconnect":
            return Disconnect(line["conn"])
        case "expect_close":
            return ExpectClose(line["conn"], line["closed"])
        case "sent":
            return Sent(line["n"])
        case "create_topic":
            return CreateTopic(line["name"], line["partitions"], _texts(line["config"]))
        case "configure_topic":
            return ConfigureTopic(line["name"], _texts(line["config"]))
        case "delete_topic":
            return DeleteTopic(line["name"])
        case "lose_leaders":
            return LoseLeaders(tuple((name, p) for name in line["names"] for p in range(line["partitions"])))
    return security_line(kind, line)


def _config(config: dict[str, Any]) -> Config:
    """The broker's properties: what begins with "@" is for the recorder."""
    properties = {name: value for name, value in config.items() if not name.startswith("@")}
    return {name: None if value is None else str(value) for name, value in properties.items()}


def _texts(config: dict[str, Any] | None) -> dict[str, str]:
    return {name: str(value) for name, value in (config or {}).items()}


def _files(found: dict[str, dict[str, Any]]) -> tuple[StoredFile, ...]:
    """Files in a note. Those of a cluster's notes are summaries in words, not files."""
    return tuple(_file(name, x) for name, x in found.items() if isinstance(x, dict))


def _file(path: str, line: dict[str, Any]) -> StoredFile:
    return StoredFile(path, bytes.fromhex(line["hex"]).ljust(line["size"], b"\0"))
