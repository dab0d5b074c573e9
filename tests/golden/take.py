"""Makes the tree's copy of the recordings from the originals: `python -m tests.golden.take FOLDER_OF_ORIGINALS`.

The originals hold every message twice, as bytes and decoded. The copy keeps the bytes, from which the rest can be
decoded. What cannot be decoded is kept: which values of a request came from earlier answers (`refs`). Before anything
is dropped it is compared with what our own codec makes of the bytes, so nothing is lost. The output depends on nothing
but the originals; the form of the copy is described in `recordings/README.md`.
"""

import base64
import json
import lzma
import re
import sys
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from fakekafka.ids import ApiKey
from fakekafka.wire.apis import request_class, response_class
from fakekafka.wire.codec import decode, encode_bytes
from fakekafka.wire.frames import RequestHeader, ResponseHeader, request_header_version, response_header_version
from fakekafka.wire.message import Struct

from tests.golden.paths import snake, snake_path

RECORDINGS = Path(__file__).parent / "recordings"

CITATION = re.compile(
    r"(?:NOTES|append_path|fetch_path|log_storage|message_formats|offsets_topic|upgrade_phases)(?:\.md)?"
    r"(?: (?:section |step )?\d[\d.]*(?:-\d[\d.]*)?,?)*:? ?"
)
"""Places where the originals' texts point to documents that are beside them, but not here."""
COMMAND = re.compile(r"cluster\.py .*?(?=cluster\.py|Broker a)")
"""Places where a text explains how to run the recorder."""

Line: TypeAlias = dict[str, Any]
Ref: TypeAlias = list[Any]
"""[path in the request, exchange, path in its answer], and for a producer id in records the position of its batch."""


def take(originals: Path, target: Path) -> None:
    """Copy every recording and data directory below `originals`."""
    for archive in sorted(originals.glob("*/*.tar.gz")):
        write(target / archive.parent.name / archive.name.replace(".tar.gz", ".jsonl.xz"), recording(members(archive)))
    for archive in sorted(originals.glob("*/datadir/logs.tar.gz")):
        contents = json.loads((archive.parent / "contents.json").read_text("utf-8"))
        write(target / archive.parent.parent.name / "datadir.jsonl.xz", [contents, *files(members(archive), "logs/")])


def write(path: Path, lines: Iterable[Line]) -> None:
    """Write JSON lines, compressed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def members(archive: Path) -> dict[str, bytes]:
    """Every file in a tar archive."""
    with tarfile.open(archive) as tar:
        return {m.name: _content(tar, m) for m in tar.getmembers() if m.isfile()}


def _content(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    content = tar.extractfile(member)
    assert content is not None
    return content.read()


def recording(found: dict[str, bytes]) -> Iterator[Line]:
    """The lines of one recording: what it is, its transcripts, its files."""
    meta = {k: v for k, v in json.loads(found["meta.json"]).items() if k != "files"}
    meta["shows"] = plain(meta["shows"])
    meta["statements"] = [x for x in meta.get("statements", ()) if not CITATION.match(x)]
    yield meta
    transcripts = sorted(name for name in found if name.startswith("transcript"))
    for name in transcripts:
        if len(transcripts) > 1:
            yield {"transcript": name.removeprefix("transcript-").removesuffix(".jsonl")}
        for text in found[name].decode().splitlines():
            yield without_decoded(json.loads(text))
    yield from files(found, "files/")


def plain(text: str) -> str:
    """`text` without citations of other documents and commands."""
    return re.sub(r" ?\((?:\w+: )?\)", "", CITATION.sub("", COMMAND.sub("", text)))


def files(found: dict[str, bytes], folder: str) -> Iterator[Line]:
    """The files below `folder`, without the zeros at their ends."""
    for name in sorted(found):
        if name.startswith(folder):
            content = found[name]
            yield {"file": name.removeprefix(folder), "size": len(content), "hex": content.rstrip(b"\0").hex()}


def without_decoded(line: Line) -> Line:
    """`line` without what its bytes also say. Raises AssertionError if they do not say it."""
    if "response" in line:
        check_response(line)
    elif "response_hex" in line:
        line["undecoded"] = True
    out = {k: v for k, v in line.items() if k not in ("request", "response", "api")}
    if "note" in line:
        out["note"] = plain(line["note"])
    if "request" in line:
        refs = check_request(line)
        if refs:
            out["refs"] = refs
    return out


def check_response(line: Line) -> None:
    """Assert that the decoded answer is what the bytes say."""
    cls = response_class(ApiKey(line["api_key"]))
    version: int = line["response_version"] if "response_version" in line else line["api_version"]
    frame = bytes.fromhex(line["response_hex"])
    _, at = decode(ResponseHeader, response_header_version(cls, version), frame)
    message, end = decode(cls, version, frame, at)
    assert end == len(frame), line
    compare(message, line["response"], version)


def check_request(line: Line) -> list[Ref]:
    """Assert that the decoded request is what the bytes say and encodes to the same bytes; return its references."""
    cls = request_class(ApiKey(line["api_key"]))
    version: int = line["layout"] if "layout" in line else line["api_version"]
    frame = bytes.fromhex(line["request_hex"])
    _, start = decode(RequestHeader, request_header_version(cls, version), frame)
    message, _ = decode(cls, version, frame, start)
    compare(message, line["request"], version)
    refs = list(references(line["request"]))
    assert not refs or encode_bytes(message, version) == frame[start:], line
    return refs


def compare(ours: object, recorded: object, version: int) -> None:
    """Assert that a decoded value equals a recorded one."""
    if isinstance(ours, Struct):
        assert isinstance(recorded, dict)
        present = {name for name, spec in ours.FIELDS.items() if version in spec.versions}
        assert {snake(name) for name in recorded} <= present
        absent = present - {snake(name) for name in recorded}
        assert all(version in ours.FIELDS[name].tagged for name in absent), absent
        for name, value in recorded.items():
            compare(getattr(ours, snake(name)), value, version)
    elif isinstance(ours, (list, tuple)):
        assert isinstance(recorded, list)
        assert len(recorded) == len(ours)
        for one, other in zip(ours, recorded):
            compare(one, other, version)
    elif isinstance(recorded, dict) and "$ref" in recorded:
        compare(ours, recorded["value"], version)
    elif isinstance(recorded, dict):
        assert ours == bytes.fromhex(recorded["$hex"]), (ours, recorded)
    elif isinstance(ours, bytes) and isinstance(recorded, str):
        assert ours == base64.urlsafe_b64decode(recorded + "=="), (ours, recorded)
    else:
        assert ours == recorded, (ours, recorded)


def references(value: object, path: str = "") -> Iterator[Ref]:
    """The references in a decoded request."""
    if isinstance(value, dict):
        if "$ref" in value:
            exchange, source = value["$ref"]
            yield [path, exchange, snake_path(source)]
        for position, (exchange, source) in value.get("$pids", ()):
            yield [path, exchange, snake_path(source), position]
        for name, inner in value.items():
            if not name.startswith("$"):
                yield from references(inner, f"{path}.{snake(name)}" if path else snake(name))
    elif isinstance(value, list):
        for n, inner in enumerate(value):
            yield from references(inner, f"{path}[{n}]")


if __name__ == "__main__":
    take(Path(sys.argv[1]), RECORDINGS)
