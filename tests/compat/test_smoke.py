"""The smoke subset: the newest clients against old and new releases, each in the environment of these tests."""

from pathlib import Path

import pytest
from fakekafka_compat.matrix import Work, one
from fakekafka_compat.table import cells, default_table, read_table
from fakekafka_compat.verdict import load, verdict
from fakekafka_spark.observations import Cell

TABLE = read_table(default_table())


@pytest.mark.parametrize("cell", cells(TABLE, "smoke", {}), ids=lambda cell: cell.cell)
def test_a_cell_is_as_with_the_real_broker(cell: Cell, tmp_path: Path) -> None:
    done = one(cell, Work(TABLE, tmp_path, tmp_path / "no-cache", again=False))
    assert (done.outcome, done.reasons) == ("as the real broker", [])
    (written,) = tmp_path.iterdir()
    assert verdict(*load(written)) == done
