"""Files elsewhere: through pyarrow's file systems, and through fsspec for what these do not know."""

from pathlib import Path

import fsspec
import pytest
from fakekafka.errors import UsageError
from fakekafka_spark import columns
from fakekafka_spark.files.storage import storage

from tests.pipeline.logs import batches, write_segment


def test_a_file_url_is_the_same_as_the_path(tmp_path: Path) -> None:
    write_segment(tmp_path / "t-0", batches(2))
    assert columns.table(f"file://{tmp_path}").equals(columns.table(tmp_path))


def test_fsspec_knows_what_pyarrow_does_not(tmp_path: Path) -> None:
    log = write_segment(tmp_path / "t-0", batches(2))
    memory = fsspec.filesystem("memory")
    memory.mkdirs("/bucket/t-0")
    memory.pipe(f"/bucket/t-0/{log.name}", log.read_bytes())
    try:
        assert columns.table("memory://bucket").equals(columns.table(tmp_path))
    finally:
        memory.rm("/bucket", recursive=True)


def test_an_unknown_scheme_is_refused() -> None:
    with pytest.raises(UsageError, match="nowhere://x"):
        storage("nowhere://x")


def test_options_of_a_file_system_reach_it() -> None:
    found = storage("s3://bucket/logs", {"storage.region": "eu-central-1", "storage.endpoint_override": "127.0.0.1:9"})
    assert found.path == "bucket/logs"
    assert found.filesystem.region == "eu-central-1"
