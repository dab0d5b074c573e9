"""Log directories are compared: recorded files with themselves and with changed files."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.golden.form import ABSENT, Difference, Labels
from tests.golden.transcript import StoredFile, load, names
from tests.golden.trees import compare_trees, file_form

WITH_FILES = [name for name in names() if "storage_" in name]
RECORDED = load("2.3.1-storage_producer_state").files


def compared(recorded: Iterable[StoredFile], got: dict[str, bytes]) -> list[Difference]:
    return list(compare_trees(recorded, got, Labels(), Labels()))


def tree(files: Iterable[StoredFile]) -> dict[str, bytes]:
    return {file.path: file.content for file in files}


def file(path: str, content: bytes) -> list[StoredFile]:
    return [StoredFile(path, content)]


@pytest.mark.parametrize("release", sorted({name.partition("-")[0] for name in WITH_FILES}))
def test_recorded_files_do_not_differ_from_themselves(release: str) -> None:
    for name in WITH_FILES:
        if name.startswith(release + "-"):
            files = load(name).files
            assert compared(files, tree(files)) == [], name


def test_every_kind_of_file_is_compared() -> None:
    files = [file for name in ("2.3.1-storage_txnindex", "3.9.1-storage_topics") for file in load(name).files]
    for one in (f for f in files if f.content and not f.path.endswith(("meta.properties", "partition.metadata"))):
        changed = one.content[:-1] + bytes([one.content[-1] ^ 2])
        assert compared([one], {one.path: changed}), one.path


def test_missing_and_extra_files_are_differences() -> None:
    recorded = [StoredFile("t-0/a.log", b""), StoredFile("t-0/a.index", b"")]
    assert compared(recorded, {"t-0/a.log": b""}) == [("t-0/a.index", "(a file)", ABSENT)]
    extra = tree(recorded) | {"t-0/b.log": b""}
    assert compared(recorded, extra) == [("t-0/b.log", ABSENT, "(a file)")]


def test_extra_files_that_nobody_recorded_do_not_count() -> None:
    recorded = [StoredFile("t-0/a.log", b""), StoredFile("__consumer_offsets-0/a.log", b"")]
    extra = {"other-0/a.log": b"", "__consumer_offsets-0/a.index": b"", ".lock": b"", "x-checkpoint": b"0\n0\n"}
    extra["t-0/a.index"] = bytes(40960)
    assert compared(recorded, tree(recorded) | extra) == []


def test_random_parts_of_directory_names_do_not_count() -> None:
    (recorded,) = file(f"t-0.{'a' * 32}-delete/x.log", b"")
    assert compared([recorded], {f"t-0.{'b' * 32}-delete/x.log": b""}) == []
    assert compared([recorded], {"t-0/x.log": b""})


def test_checkpoints_are_sets_of_lines() -> None:
    recorded = file("replication-offset-checkpoint", b"0\n2\na 0 1\nb 0 2\n")
    assert compared(recorded, {"replication-offset-checkpoint": b"0\n2\nb 0 2\na 0 1\n"}) == []
    assert compared(recorded, {"replication-offset-checkpoint": b"0\n2\nb 0 2\na 0 1\na 0 1\n"})
    assert compared(recorded, {"replication-offset-checkpoint": b"0\n2\nb 0 2\na 0 9\n"})


def test_snapshots_have_entries_in_order_with_other_producer_ids() -> None:
    (snapshot,) = (f for f in RECORDED if f.path.startswith("many-0/") and f.path.endswith(".snapshot"))
    entries = [snapshot.content[at : at + 46] for at in range(10, len(snapshot.content), 46)]
    turned = snapshot.content[:10] + b"".join(reversed(entries))
    form = file_form(snapshot.path, {snapshot.path: snapshot.content}, Labels())
    other = file_form(snapshot.path, {snapshot.path: turned}, Labels())
    assert isinstance(form, dict)
    assert isinstance(other, dict)
    assert form["crc"] == "right"
    order, turned_order = form["order"], other["order"]
    assert isinstance(order, list)
    assert isinstance(turned_order, list)
    assert len(order) == len(entries) > 10
    assert order == turned_order[::-1]
    assert form | {"crc": "", "order": []} == other | {"crc": "", "order": []}


def test_positions_in_an_index_count_as_numbers_of_units() -> None:
    log = next(f for f in load("2.3.1-storage_index").files if f.path.endswith(".log") and len(f.content) > 500)
    size = 12 + int.from_bytes(log.content[8:12], "big")
    index = (3).to_bytes(4, "big") + size.to_bytes(4, "big") + (4).to_bytes(4, "big") + (size + 1).to_bytes(4, "big")
    path = log.path.replace(".log", ".index")
    form = file_form(path, {log.path: log.content, path: index + bytes(16)}, Labels())
    assert form == {"entries": ["3 -> unit 1", f"4 -> at {size + 1}"], "zeros": 16}


def test_topic_ids_are_labelled_as_in_answers() -> None:
    labels = Labels()
    labels.of("T", bytes(range(16)))
    content = b"version: 0\ntopic_id: AAECAwQFBgcICQoLDA0ODw"
    form = file_form("t-0/partition.metadata", {"t-0/partition.metadata": content}, labels)
    assert form == {"version: 0": 1, "topic_id: T": 1}


@given(st.binary(max_size=120), st.sampled_from(["log", "index", "timeindex"]))
def test_logs_and_indexes_of_any_bytes_have_a_form(content: bytes, kind: str) -> None:
    path = f"t-0/00000000000000000000.{kind}"
    assert compared(file(path, content), {path: content}) == []
