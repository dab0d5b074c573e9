"""How the tree's copy of a recording is made."""

import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from tests.golden.paths import snake, snake_path
from tests.golden.take import plain, take, without_decoded
from tests.golden.transcript import Exchange, Ref, StoredFile, load, load_data_directory

INITIATED = {"ThrottleTimeMs": 0, "ErrorCode": 0, "ProducerId": 7, "ProducerEpoch": 0}
ANSWER = "0000000100000000000000000000000000070000"
ASKED: dict[str, Any] = {
    "n": 1, "conn": "main", "clock_ms": 5, "api": "InitProducerId", "api_key": 22, "api_version": 0, "client_id": "c",
    "request": {"TransactionalId": None, "TransactionTimeoutMs": 60000},
    "request_hex": "0016000000000001000163ffff0000ea60", "response": INITIATED, "response_hex": ANSWER,
}  # fmt: skip
REFERENCE = {"$ref": [1, "ProducerId"], "value": 7}
REFERRING: dict[str, Any] = {
    "n": 2, "conn": "main", "clock_ms": 5, "api": "EndTxn", "api_key": 26, "api_version": 0, "client_id": "c",
    "request": {"TransactionalId": "t", "ProducerId": REFERENCE, "ProducerEpoch": 0, "Committed": True},
    "request_hex": "001a0000000000020001630001740000000000000007000001", "closed": True,
}  # fmt: skip


def archive(path: Path, files: dict[str, str]) -> None:
    path.parent.mkdir(parents=True)
    with tarfile.open(path, "w:gz") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content.encode()))


def test_a_copy_holds_the_bytes_and_what_they_do_not_say(tmp_path: Path) -> None:
    meta = {"scenario": "s", "release": "2.3.1", "clock_ms": 5, "shows": "something", "files": ["x"]}
    transcript = "\n".join(map(json.dumps, [ASKED, REFERRING]))
    contents = {"meta.json": json.dumps(meta), "transcript.jsonl": transcript, "files/t-0/a.log": "abc\0\0"}
    archive(tmp_path / "originals/2.3.1/s.tar.gz", contents)
    archive(tmp_path / "originals/2.3.1/datadir/logs.tar.gz", {"logs/t-0/a.log": "abc"})
    (tmp_path / "originals/2.3.1/datadir/contents.json").write_text('{"committed": {}}', "utf-8")
    take(tmp_path / "originals", tmp_path / "copy")
    recording = load("2.3.1-s", tmp_path / "copy")
    first, second = (line for line in recording.lines if isinstance(line, Exchange))
    assert first.outcome == bytes.fromhex(ANSWER)
    assert second.refs == (Ref("producer_id", 1, "producer_id"),)
    assert recording.files == (StoredFile("t-0/a.log", b"abc\0\0"),)
    assert load_data_directory("2.3.1", tmp_path / "copy").files == (StoredFile("t-0/a.log", b"abc"),)


def test_decoded_values_are_dropped_only_if_the_bytes_say_them_too() -> None:
    assert without_decoded(dict(ASKED)).keys() == ASKED.keys() - {"api", "request", "response"}
    for change in ({"response": INITIATED | {"ProducerId": 8}}, {"response_hex": ANSWER + "00"}):
        with pytest.raises(AssertionError):
            without_decoded(ASKED | change)


def test_texts_do_not_point_at_documents_that_are_not_here() -> None:
    assert plain("empty key (append_path 4.5)") == "empty key"
    assert plain("three, then one (append_path 4: in place)") == "three, then one (in place)"
    assert plain("good ones (order: fetch_path 2.4)") == "good ones"
    assert plain("nothing (to see)") == "nothing (to see)"


def test_names_of_fields_are_ours() -> None:
    assert snake_path("Groups[0].MemberId") == "groups[0].member_id"
    assert [snake(x) for x in ("timeoutMs", "V3AndBelowTopics")] == ["timeout_ms", "v3_and_below_topics"]
