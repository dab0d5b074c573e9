"""Files elsewhere: through pyarrow's file systems, and through fsspec for those that pyarrow lacks."""

from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest
from fakekafka.errors import UsageError
from fakekafka_spark import columns
from fakekafka_spark.files import plan
from fakekafka_spark.files.layout import partitions
from fakekafka_spark.files.storage import Storage, storage
from fakekafka_spark.query import Query
from fakekafka_spark.views import VIEWS
from pyarrow.fs import LocalFileSystem, SubTreeFileSystem

from tests.pipeline.logs import batches, recorded, write_segment


def test_a_file_url_is_the_same_as_the_path(tmp_path: Path) -> None:
    write_segment(tmp_path / "t-0", batches(2))
    assert columns.table(f"file://{tmp_path}").equals(columns.table(tmp_path))


@pytest.fixture
def in_memory(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A real broker's directory, on the disk and in fsspec's memory."""
    recorded("2.3.1", tmp_path)
    memory = fsspec.filesystem("memory")
    memory.put(str(tmp_path), "/bucket", recursive=True)
    yield tmp_path, "memory://bucket"
    memory.rm("/bucket", recursive=True)


@pytest.mark.parametrize("view", VIEWS)
def test_fsspec_opens_what_pyarrow_cannot(in_memory: tuple[Path, str], view: str) -> None:
    folder, url = in_memory
    expected = columns.table(folder, view, columns="all")
    assert columns.table(url, view, columns="all").equals(expected)
    assert columns.table(f"file://{folder}", view, columns="all").equals(expected)


def test_a_part_of_a_file_system_is_a_file_system(tmp_path: Path) -> None:
    write_segment(tmp_path / "logs" / "t-0", batches(2))
    place = Storage(SubTreeFileSystem(str(tmp_path), LocalFileSystem()), "logs")
    (found,) = partitions(place)
    query = Query.of({})
    (split,) = plan.of_partition(place, found, query)
    rows = [row for batch in columns.of_split(place, split, query.wanted()) for row in batch.to_pylist()]
    assert rows == columns.table(tmp_path / "logs").to_pylist()


def test_a_file_system_that_cannot_be_reached_is_reported() -> None:
    """Hadoop's library is not part of pyarrow; where it is installed, nobody listens here."""
    with pytest.raises(UsageError, match=r"hdfs://127\.0\.0\.1:1/logs: "):
        storage("hdfs://127.0.0.1:1/logs")


def test_an_unknown_scheme_is_refused() -> None:
    with pytest.raises(UsageError, match="nowhere://x"):
        storage("nowhere://x")


def test_options_of_a_file_system_reach_it() -> None:
    found = storage("s3://bucket/logs", {"storage.region": "eu-central-1", "storage.endpoint_override": "127.0.0.1:9"})
    assert found.path == "bucket/logs"
    assert found.filesystem.region == "eu-central-1"
