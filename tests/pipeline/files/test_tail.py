"""The end of a log is found whatever its index says."""

from pathlib import Path
from struct import pack

import pytest
from fakekafka_spark import columns
from fakekafka_spark.files.layout import partition_at
from fakekafka_spark.files.storage import storage
from fakekafka_spark.files.tail import Tail

from tests.pipeline.logs import batches, write_segment
from tests.pipeline.transactions import write_transactions


@pytest.mark.parametrize("committed", [False, True])
@pytest.mark.parametrize("position", [-2022785408, 1, 200, 61])
def test_an_index_that_points_elsewhere_hides_nothing(tmp_path: Path, position: int, committed: bool) -> None:
    folder = tmp_path / "t-0"
    log = write_segment(folder, batches(3))
    log.with_suffix(".index").write_bytes(pack(">ii", 9, position))
    place = storage(str(folder))
    assert Tail(place, committed=committed).advance(partition_at(place, str(folder))) == 30


@pytest.mark.parametrize("position", [-5, 3, 100])
def test_committed_data_do_not_depend_on_indexes(tmp_path: Path, position: int) -> None:
    committed = write_transactions(tmp_path / "t-0")
    for index in tmp_path.rglob("*.index"):
        index.write_bytes(pack(">ii", 1, position))
    found = columns.table(tmp_path, isolation="read_committed", columns=["offset"])
    assert found["offset"].to_pylist() == committed
