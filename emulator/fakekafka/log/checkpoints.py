"""The small text files: checkpoints of offsets, the files that say what a directory is, the clean-stop marker.

All checkpoints have one form (OffsetCheckpoint, CheckpointFile): version, number of lines, lines of words. Example:

    0
    2
    orders 0 17
    orders 1 4

In real brokers the lines are in the order of a map. A checkpoint that has never been written is a file of 0 bytes:
brokers create it when they look for it.
"""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeAlias

from fakekafka.errors import MalformedBytes
from fakekafka.ids import LeaderEpoch, Offset, TopicPartition
from fakekafka.log import names
from fakekafka.log.files import Directory

VERSION: Final = "0"
LONGEST_SHOWN: Final = 30
Partition: TypeAlias = TopicPartition


def checkpoint_bytes(rows: Iterable[str]) -> bytes:
    """A checkpoint file with these lines."""
    lines = list(rows)
    return "".join(f"{line}\n" for line in (VERSION, len(lines), *lines)).encode()


def checkpoint_rows(data: bytes) -> list[list[str]]:
    """The words of each line; an empty list for a file that is empty or ends after its version. Raises `MalformedBytes`
    for anything other than a checkpoint.
    """
    lines = _lines(data.decode(errors="replace"))
    if lines in ([], [VERSION]):
        return []
    if lines[0] != VERSION or len(lines) < 2 or not lines[1].isdigit() or int(lines[1]) != len(lines) - 2:
        raise MalformedBytes(f"a checkpoint that begins with {lines[:2]!r} and has {len(lines)} lines")
    return [line.split() for line in lines[2:]]


def _lines(text: str) -> list[str]:
    """The lines as Java reads them (`BufferedReader.readLine`): Python knows more characters that end one."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]


def number(word: str, bits: Literal[32, 64]) -> int:
    """The number that Java reads there (`Integer.parseInt`, `Long.parseLong`). Raises `ValueError` where Java does."""
    value = int(word)
    if "_" in word or not -1 << bits - 1 <= value < 1 << bits - 1:
        raise ValueError(f"{word[:LONGEST_SHOWN]!r} is not a number of {bits} bits")
    return value


def offset_rows(data: bytes) -> dict[Partition, Offset]:
    """A checkpoint of offsets, by partition. Raises `MalformedBytes`."""
    try:
        return {(topic, number(index, 32)): number(offset, 64) for topic, index, offset in checkpoint_rows(data)}
    except ValueError as wrong:
        raise MalformedBytes(str(wrong)) from wrong


def epoch_rows(data: bytes) -> list[tuple[LeaderEpoch, Offset]]:
    """A checkpoint of leader epochs and their first offsets. Raises `MalformedBytes`."""
    try:
        return [(number(epoch, 32), number(start, 64)) for epoch, start in checkpoint_rows(data)]
    except ValueError as wrong:
        raise MalformedBytes(str(wrong)) from wrong


class Checkpoints:
    """The files at the root of one log directory. Reading a file that is missing gives what an empty one gives."""

    def __init__(self, root: Directory) -> None:
        self._root = root

    def offsets(self, name: str) -> dict[Partition, Offset]:
        """A checkpoint of offsets by partition. Raises `MalformedBytes`."""
        try:
            return offset_rows(self._root.read_all(name)) if self._root.exists(name) else {}
        except MalformedBytes as wrong:
            raise MalformedBytes(f"{name}: {wrong}") from wrong

    def write_offsets(self, name: str, offsets: Mapping[Partition, Offset]) -> None:
        rows = (f"{topic} {partition} {offset}" for (topic, partition), offset in offsets.items())
        self._root.replace(name, checkpoint_bytes(rows))

    def make_missing(self, *files: str) -> None:
        """What a starting broker does: checkpoints that are missing become empty files."""
        for name in files:
            if not self._root.exists(name):
                self._root.replace(name, b"")

    @property
    def clean_shutdown(self) -> bool:
        """Whether the last broker closed all logs: whether the marker is there, whatever it holds."""
        return self._root.exists(names.CLEAN_SHUTDOWN)

    def mark_clean_shutdown(self, content: bytes) -> None:
        """Write the marker. `content`: nothing up to 3.6, then a small JSON object (`clean_shutdown_content`)."""
        self._root.replace(names.CLEAN_SHUTDOWN, content)

    def unmark_clean_shutdown(self) -> None:
        self._root.delete(names.CLEAN_SHUTDOWN)

    @property
    def has_meta_properties(self) -> bool:
        """Whether there is such a file, whatever it says."""
        return self._root.exists(names.META_PROPERTIES)

    def meta_properties(self) -> dict[str, str]:
        """What the directory is: version, broker or node id, cluster id, directory id. Empty without a file."""
        if not self.has_meta_properties:
            return {}
        lines = self._root.read_all(names.META_PROPERTIES).decode(errors="replace").splitlines()
        pairs = (line.partition("=") for line in lines if "=" in line and not line.startswith("#"))
        return {key.strip(): value.strip() for key, _, value in pairs}

    def write_meta_properties(self, properties: Mapping[str, str], written_at: str) -> None:
        """Write the properties as java.util.Properties stores them. `written_at`: the date of the second line, as Java
        prints dates.
        """
        text = f"#\n#{written_at}\n" + "".join(f"{key}={value}\n" for key, value in properties.items())
        self._root.replace(names.META_PROPERTIES, text.encode())


def clean_shutdown_content(broker_epoch: int) -> bytes:
    """The clean-stop marker's content from 3.7 on (CleanShutdownFileHandler)."""
    return f'{{"version":0,"brokerEpoch":{broker_epoch}}}'.encode()


def partition_metadata_bytes(topic_id: str) -> bytes:
    """A partition's `partition.metadata` (KIP-516). `topic_id`: 22 characters of URL-safe base64."""
    return f"version: 0\ntopic_id: {topic_id}\n".encode()


def topic_id_of(data: bytes) -> str:
    """The topic id in a `partition.metadata`. Raises `MalformedBytes`."""
    lines = data.decode(errors="replace").splitlines()
    fields = dict(line.split(": ", 1) for line in lines if ": " in line)
    if fields.get("version") != VERSION or "topic_id" not in fields:
        raise MalformedBytes(f"a partition.metadata of {lines!r}")
    return fields["topic_id"]
