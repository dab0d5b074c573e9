"""The matrix judges each cell when it has run, and Spark judges all files at once; the outcomes are the same."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from fakekafka_compat.verdict import load, verdict
from fakekafka_spark import read_observations, verdicts
from fakekafka_spark.observations import Cell, Observation, Want, write
from pyspark.sql import SparkSession

CELLS: Final = 300
RECORDS: Final = 6
SAME: Final = {"ok": "as the real broker", "differs": "differs", "failed": "differs", "skipped": "not runnable here"}
Rows = list[Observation]


def sound(readers: int, chance: random.Random) -> Rows:
    """A sound cell, in random formats."""
    rows = [Observation("cell", value="ran", amount=readers)]
    stored_as, sent_as = chance.choice([(2, 2), (2, 1), (1, 1), (1, 0), (0, 0), (2, None)])
    append_time = chance.random() < 0.2
    want: Want = chance.choice(["once", "once", "at least once", "any"])
    for uid in range(RECORDS):
        sent = Observation(
            "produced", uid, topic="t", partition=uid % 2, offset=uid // 2, ordinal=uid, key_hash=uid, value_hash=8,
            headers_hash=3, timestamp=100 + uid, timestamp_type=0, want=want,
        )  # fmt: skip
        there = sent._replace(stage="stored", magic=stored_as, want=None, timestamp_type=int(append_time))
        there = there._replace(timestamp=999) if append_time else there
        rows += [sent, there]
        rows += (there._replace(stage="consumed", reader=n, magic=sent_as) for n in range(readers))
    return rows


def without_one(rows: Rows, chance: random.Random) -> None:
    del rows[chance.randrange(1, len(rows))]


def one_twice(rows: Rows, chance: random.Random) -> None:
    rows.append(chance.choice(rows[1:]))


def changed(name: str, value: Any) -> Callable[[Rows, random.Random], None]:
    def change(rows: Rows, chance: random.Random) -> None:
        n = chance.randrange(1, len(rows))
        rows[n] = rows[n]._replace(**{name: value})

    return change


def wanted(want: Want) -> Callable[[Rows, random.Random], None]:
    def change(rows: Rows, chance: random.Random) -> None:
        n = chance.choice([n for n, row in enumerate(rows) if row.want is not None] or [0])
        rows[n] = rows[n]._replace(want=want)

    return change


def with_fact(expected: str | None) -> Callable[[Rows, random.Random], None]:
    return lambda rows, chance: rows.append(Observation("fact", name="version Fetch", value="1", expected=expected))


def ended(how: str) -> Callable[[Rows, random.Random], None]:
    def end(rows: Rows, chance: random.Random) -> None:
        rows[:] = [Observation("cell", value=how, amount=1, text="because")]

    return end


CHANGES: Final = (
    without_one, one_twice, ended("skipped"), ended("failed"), with_fact("1"), with_fact("2"), with_fact(None),
    changed("key_hash", 77), changed("key_hash", None), changed("value_hash", 77), changed("headers_hash", 77),
    changed("headers_hash", None), changed("timestamp", 77), changed("timestamp", None), changed("offset", 5),
    changed("offset", None), changed("partition", 1), changed("uid", 50), changed("ordinal", 50), wanted("never"),
    changed("ordinal", -1), changed("magic", 0), changed("magic", 2), wanted("once"),
)  # fmt: skip


def test_one_cell_and_a_million_are_judged_alike(spark: SparkSession, tmp_path: Path) -> None:
    chance = random.Random(7)
    expected = {}
    for n in range(CELLS):
        rows = sound(chance.choice([1, 1, 2]), chance)
        for change in chance.choices(CHANGES, k=chance.choice([0, 1, 1, 2, 3])):
            if len(rows) > 1:
                change(rows, chance)
        cell = Cell.of(f"c{n}", "2.3", "", "", "none", "roundtrip")
        expected[cell.cell] = verdict(*load(write(tmp_path, cell, rows))).outcome
    found = verdicts(read_observations(spark, tmp_path)).collect()
    assert {row["cell"]: SAME[row["verdict"]] for row in found} == expected
    assert {*expected.values()} == {*SAME.values()}
