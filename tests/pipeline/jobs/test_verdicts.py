"""Each fault that the matrix can have is planted alone, and found alone."""

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from fakekafka_spark import read_observations, record_faults, verdicts
from fakekafka_spark.jobs.verdicts import FAULTS
from fakekafka_spark.observations import Cell, Observation, arrow_schema, hash_of, write
from pyarrow import parquet
from pyspark.sql import Row, SparkSession

RECORDS, READERS = 20, 2


def cell(name: str) -> Cell:
    return Cell.of(client=name, release="2.3", format="", phase="", codec="none", scenario="round trip")


def story() -> list[Observation]:
    """A sound cell: 20 records, produced, stored, and consumed by two readers."""
    rows = [Observation("cell", value="ran", amount=READERS)]
    for uid in range(RECORDS):
        record = Observation(
            "produced", uid=uid, topic="t", partition=uid % 2, offset=uid // 2, ordinal=uid, key_hash=hash_of(None),
            value_hash=hash_of(b"%d" % uid), headers_hash=7, timestamp=1000 + uid, timestamp_type=0, want="once",
        )  # fmt: skip
        rows.append(record)
        rows.append(record._replace(stage="stored", magic=2, want=None))
        rows += (record._replace(stage="consumed", reader=n, magic=2, want=None) for n in range(READERS))
    return rows


Change = Callable[[Observation], list[Observation]]


def of_record(stage: str, uid: int, change: Callable[[Observation], list[Observation]]) -> Change:
    """A change of one record's rows of one stage."""
    return lambda row: change(row) if row.stage == stage and row.uid == uid else [row]


def swapped(row: Observation) -> list[Observation]:
    """The first reader gets records 4 and 6 in the wrong order."""
    if row.stage == "consumed" and row.reader == 0 and row.uid in (4, 6):
        return [row._replace(ordinal=10 - row.uid)]
    return [row]


def in_old_format(row: Observation) -> list[Observation]:
    """Format 0 in the log, which has neither headers nor timestamps."""
    if row.stage in ("stored", "consumed"):
        return [row._replace(magic=0, headers_hash=0, timestamp=-1, timestamp_type=-1)]
    return [row]


def converted_down(row: Observation) -> list[Observation]:
    return [row._replace(magic=0, headers_hash=0, timestamp=-1)] if row.stage == "consumed" else [row]


def appended(row: Observation) -> list[Observation]:
    return [row._replace(timestamp=5, timestamp_type=1)] if row.stage in ("stored", "consumed") else [row]


def unseen(row: Observation) -> list[Observation]:
    """A client that cannot show offsets, headers or timestamps."""
    return [row] if row.stage != "consumed" else [row._replace(headers_hash=None, timestamp=None, magic=None)]


SOUND: dict[str, Change] = {
    "as told": lambda row: [row],
    "old format": in_old_format,
    "converted down": converted_down,
    "append time": appended,
    "little seen": unseen,
    "log not seen": lambda row: [] if row.stage == "stored" else [row],
    "delivered again": lambda row: (
        [row._replace(want="at least once")] if row.stage == "produced"
        else [row, row._replace(ordinal=RECORDS + (row.ordinal or 0))] if row.stage == "consumed" else [row]
    ),
    "aborted and not got": lambda row: (
        [row._replace(want="never")] if row.stage == "produced" else [] if row.stage == "consumed" else [row]
    ),
    "not known to have arrived": lambda row: (
        [row._replace(want="any", offset=None)] if row.stage == "produced" else [] if row.uid == 3 else [row]
    ),
}  # fmt: skip
FAULTY: dict[str, Change] = {
    "lost": lambda row: [] if (row.stage, row.uid, row.reader) == ("consumed", 3, 1) else [row],
    "not_stored": of_record("stored", 3, lambda row: []),
    "duplicated": of_record("stored", 3, lambda row: [row, row._replace(offset=99)]),
    "unwanted": of_record("produced", 3, lambda row: [row._replace(want="never")]),
    "unknown": of_record("produced", 3, lambda row: []),
    "moved": of_record("produced", 3, lambda row: [row._replace(offset=17)]),
    "reordered": swapped,
    "changed_key": of_record("consumed", 3, lambda row: [row._replace(key_hash=hash_of(b""))]),
    "changed_value": of_record("stored", 3, lambda row: [row._replace(value_hash=1)]),
    "changed_headers": of_record("consumed", 3, lambda row: [row._replace(headers_hash=8)]),
    "changed_timestamp": of_record("consumed", 3, lambda row: [row._replace(timestamp=1)]),
}


@pytest.fixture(scope="module")
def judged(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Row]:
    """The verdicts on all cells of this module, judged at once, by client."""
    folder = tmp_path_factory.mktemp("obs")
    for name, change in (SOUND | FAULTY).items():
        write(folder, cell(name), [new for row in story() for new in change(row)])
    write(folder, cell("skipped"), [Observation("cell", value="skipped", text="no Python 3.7 here")])
    write(folder, cell("crashed"), [Observation("cell", value="failed", text="Traceback")])
    fact = Observation("fact", name="version Fetch", value="3", expected="2")
    write(folder, cell("wrong version"), [*story(), fact])
    write(folder, cell("right version"), [*story(), fact._replace(value="2"), fact._replace(expected=None)])
    names = [*SOUND, *FAULTY, "skipped", "crashed", "wrong version", "right version", "never ran"]
    cells = spark.createDataFrame([cell(name)._asdict() for name in names])
    return {row.client: row for row in verdicts(read_observations(spark, folder), cells).collect()}


@pytest.mark.parametrize("name", SOUND)
def test_nothing_is_wrong_with_a_sound_cell(judged: dict[str, Row], name: str) -> None:
    row = judged[name]
    assert {fault: row[fault] for fault in FAULTS} == dict.fromkeys(FAULTS, 0)
    assert (row.verdict, row.records, row.first_uid) == ("ok", RECORDS, None)


@pytest.mark.parametrize("name", FAULTY)
def test_a_planted_fault_is_found_and_no_other(judged: dict[str, Row], name: str) -> None:
    row = judged[name]
    assert {fault: row[fault] for fault in FAULTS} == dict.fromkeys(FAULTS, 0) | {name: 1}
    assert row.verdict == "differs"
    assert row.first_uid == (6 if name == "reordered" else 3) or name == "reordered"


def test_cells_that_did_not_run_are_judged_as_not_run(judged: dict[str, Row]) -> None:
    assert (judged["skipped"].verdict, judged["skipped"].reason) == ("skipped", "no Python 3.7 here")
    assert (judged["crashed"].verdict, judged["crashed"].reason) == ("failed", "Traceback")
    assert judged["never ran"].verdict == "missing"


def test_facts_are_compared_where_something_is_expected(judged: dict[str, Row]) -> None:
    assert (judged["wrong version"].verdict, judged["wrong version"].facts_wrong) == ("differs", 1)
    assert (judged["right version"].verdict, judged["right version"].facts_wrong) == ("ok", 0)


def test_the_records_at_fault_can_be_asked_for(spark: SparkSession, tmp_path: Path) -> None:
    write(tmp_path, cell("one"), [new for row in story() for new in FAULTY["lost"](row)])
    found = record_faults(read_observations(spark, tmp_path)).where("lost").collect()
    assert [(row["cell"], row.uid) for row in found] == [(cell("one").cell, 3)]


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
def test_observations_of_an_older_version_are_judged_beside_newer_ones(
    spark: SparkSession, tmp_path: Path, form: str
) -> None:
    """A column that came later is absent there, and one that has been dropped is ignored."""
    later = ("expected", "amount", "text", "headers_hash", "magic")
    rows = [{**cell("old")._asdict(), **row._asdict(), "gone": 1} for row in story()]
    older = [{name: value for name, value in row.items() if name not in later} for row in rows]
    if form == "parquet":
        kept = pa.schema([*(field for field in arrow_schema() if field.name not in later), ("gone", pa.int64())])
        parquet.write_table(pa.Table.from_pylist(older, kept), tmp_path / "old.parquet")
    else:
        (tmp_path / "old.jsonl").write_text("".join(json.dumps(row) + "\n" for row in older), "utf-8")
    write(tmp_path, cell("new"), story())
    found = {row.client: row for row in verdicts(read_observations(spark, tmp_path)).collect()}
    assert {name: (row.verdict, row.records) for name, row in found.items()} == {
        "old": ("ok", RECORDS), "new": ("ok", RECORDS)
    }  # fmt: skip
