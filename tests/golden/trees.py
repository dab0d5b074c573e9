"""Compares log directories: what a broker left on disk with the recorded files.

    .log            by units (`units.py`); zeros at the end are counted
    .index          entries; a position counts as the number of the unit that begins there, because units that the
                    broker compressed itself may have another size
    .timeindex      entries
    .txnindex       entries; producer ids labelled
    .snapshot       entries in their order, which is that of a hash map; producer ids labelled
    *-checkpoint    lines as a set, behind version and count
    partition.metadata, meta.properties     lines as a set; topic and cluster ids labelled, directory ids masked
    anything else   its bytes

Files that are being deleted or swapped in are compared under their names from before. A recording holds only some
directories; an extra file counts if its kind would have been recorded.
"""

import base64
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from struct import Struct

from fakekafka.binary import crc32c

from tests.golden.form import ABSENT, ANYTHING, Difference, Form, Labels, differences
from tests.golden.transcript import StoredFile
from tests.golden.units import record_units, whole_units

_MARKED_DIRECTORY = re.compile(r"\.[0-9a-f]{32}(?=-(?:delete|future|stray)(?:/|$))")
_MARKED_FILE = re.compile(r"(?:\.(?:deleted|cleaned|swap))+$")
_BROKER_EPOCH = re.compile(rb'(?<="brokerEpoch":)-?\d+')

_INDEX_ENTRY = Struct(">ii")
_TIME_ENTRY = Struct(">qi")
_ABORTED = Struct(">hqqqq")
_SNAPSHOT_HEAD = Struct(">hIi")
_SNAPSHOT_ENTRY = Struct(">qhiqiqiq")
_SNAPSHOT_FIELDS = ("producer_epoch", "last_sequence", "last_offset", "offset_delta", "timestamp", "coordinator_epoch",
                    "first_offset_of_transaction")  # fmt: skip
_COVERED_FROM = 6
"""Where the bytes begin that a snapshot's checksum covers."""

UNTRIMMED = 20_000
"""Longer indexes are full of zeros, as a killed broker leaves them; they were not recorded."""

Tree = Mapping[str, bytes]
"""Files by their path below the log directory."""


def read_tree(log_dir: Path) -> dict[str, bytes]:
    """Every file below `log_dir`."""
    paths = (p for p in sorted(log_dir.rglob("*")) if p.is_file())
    return {p.relative_to(log_dir).as_posix(): p.read_bytes() for p in paths}


def compare_trees(recorded: Iterable[StoredFile], got: Tree, theirs: Labels, ours: Labels) -> Iterator[Difference]:
    """Where the files in `got` differ from the recorded ones. The labels are those of the replay that left them."""
    wanted = _unmarked({file.path: file.content for file in recorded})
    found = _unmarked(got)
    for path in wanted:
        if path not in found:
            yield Difference(path, "(a file)", ABSENT)
        else:
            forms = file_form(path, wanted, theirs), file_form(path, found, ours)
            yield from differences(*forms, path + ":")
    for path in found:
        if path not in wanted and _would_be_recorded(path, len(found[path]), wanted):
            yield Difference(path, ABSENT, "(a file)")


def file_form(path: str, tree: Tree, labels: Labels) -> Form:
    """The comparable form of one file."""
    content = tree[path]
    plain = PurePosixPath(_MARKED_FILE.sub("", path))
    match plain.suffix:
        case ".log":
            return record_units(content, labels)
        case ".index":
            log = path.replace(".index", ".log")
            return _index(content, tree.get(log, b""))
        case ".timeindex":
            return _entries(content, _TIME_ENTRY, lambda entry: f"{entry[0]} -> {entry[1]}")
        case ".txnindex":
            return [[entry[0], labels.of("P", entry[1]), *entry[2:]] for entry in _ABORTED.iter_unpack(content)]
        case ".snapshot":
            return _snapshot(content, labels)
    return _small_file(plain.name, content, labels)


def _small_file(name: str, content: bytes, labels: Labels) -> Form:
    if name.endswith("-checkpoint"):
        version, count, *lines = [*content.decode(errors="backslashreplace").splitlines(), "", ""]
        return {"version": version, "count": count, **Counter(filter(None, lines))}
    if name in ("partition.metadata", "meta.properties"):
        lines = [line for line in content.decode().splitlines() if not line.startswith("#")]
        return dict(Counter(_property(line, labels) for line in lines))
    return _BROKER_EPOCH.sub(b"*", content)


def _property(line: str, labels: Labels) -> str:
    """A line of a properties file, with its identity replaced."""
    name, separator, value = re.split(r"(: |=)", line, maxsplit=1)
    match name:
        case "topic_id":
            value = labels.of("T", base64.urlsafe_b64decode(value + "=="))
        case "cluster.id":
            value = labels.of("C", value)
        case "directory.id":
            value = ANYTHING
    return name + separator + value


def _index(content: bytes, log: bytes) -> Form:
    """Entries of an offset index; `log` is the file that it belongs to."""
    number = {unit.position: n for n, unit in enumerate(whole_units(log)[0])}
    return _entries(
        content, _INDEX_ENTRY, lambda e: f"{e[0]} -> " + (f"unit {number[e[1]]}" if e[1] in number else f"at {e[1]}")
    )


def _entries(content: bytes, entry: Struct, text: Callable[[tuple[int, ...]], str]) -> Form:
    """Entries of an index, and how many bytes of zeros lie after them."""
    used = len(content.rstrip(b"\0"))
    whole = -(-used // entry.size) * entry.size
    rows: list[Form] = [text(x) for x in entry.iter_unpack(content[:whole].ljust(whole, b"\0"))]
    return {"entries": rows, "zeros": len(content) - whole}


def _snapshot(content: bytes, labels: Labels) -> Form:
    """A snapshot of producers."""
    version, crc, count = _SNAPSHOT_HEAD.unpack_from(content)
    rows = sorted(_SNAPSHOT_ENTRY.iter_unpack(content[_SNAPSHOT_HEAD.size :]), key=lambda row: (row[1:], row[0]))
    entries: dict[str, Form] = {labels.of("P", row[0]): dict(zip(_SNAPSHOT_FIELDS, row[1:])) for row in rows}
    order: list[Form] = [labels.of("P", row[0]) for row in _SNAPSHOT_ENTRY.iter_unpack(content[_SNAPSHOT_HEAD.size :])]
    right = crc == crc32c(content[_COVERED_FROM:])
    return {"version": version, "crc": "right" if right else crc, "count": count, "order": order, **entries}


def _unmarked(tree: Tree) -> dict[str, bytes]:
    """`tree` with the random parts of directory names replaced."""
    return {unmarked(path): content for path, content in tree.items()}


def unmarked(path: str) -> str:
    """`path` with the random part of its directory's name replaced."""
    return _MARKED_DIRECTORY.sub(".*", path)


def _would_be_recorded(path: str, size: int, recorded: Tree) -> bool:
    """Whether the recording would hold this file if the broker had left it."""
    if path.endswith("index") and size > UNTRIMMED:
        return False
    folder, name = str(PurePosixPath(path).parent), PurePosixPath(path).name
    beside = [p for p in recorded if str(PurePosixPath(p).parent) == folder]
    if folder.rpartition("/")[2].startswith("__"):  # of internal topics only some kinds of files were kept
        return any(PurePosixPath(p).suffix == PurePosixPath(path).suffix for p in beside)
    if "-" not in folder:  # the root: checkpoints only
        return name.endswith("-checkpoint") and any(p.endswith("-checkpoint") for p in beside)
    return bool(beside)
