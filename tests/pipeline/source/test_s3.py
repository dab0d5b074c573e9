"""Logs in an object store: moto's S3 server on the loopback, accessed through pyarrow as a real one would be."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from fakekafka_spark import columns
from fakekafka_spark.views import VIEWS
from pyarrow import fs
from pyspark.sql import SparkSession

from tests.pipeline.logs import batches, recorded, write_index, write_segment

moto = pytest.importorskip("moto.server")

BUCKET = "logs"


@pytest.fixture(scope="module")
def store() -> Iterator[Mapping[str, str]]:
    """The store's options for the source."""
    server = moto.ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        settings = {"endpoint_override": f"{host}:{port}", "scheme": "http", "region": "us-east-1"}
        keys = {"access_key": "some", "secret_key": "thing"}
        filesystem(settings | keys).create_dir(BUCKET)
        yield {f"storage.{name}": value for name, value in (settings | keys).items()}
    finally:
        server.stop()


def filesystem(settings: Mapping[str, str]) -> fs.S3FileSystem:
    return fs.S3FileSystem(allow_bucket_creation=True, **settings)


def uploaded(folder: Path, store: Mapping[str, str], name: str) -> str:
    """Upload the files of `folder`, and return their URL."""
    target = filesystem({key.removeprefix("storage."): value for key, value in store.items()})
    fs.copy_files(str(folder), f"{BUCKET}/{name}", destination_filesystem=target)
    return f"s3://{BUCKET}/{name}"


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory, store: Mapping[str, str]) -> tuple[Path, str]:
    """A real broker's directory, on the disk and in the bucket."""
    folder = tmp_path_factory.mktemp("real")
    recorded("2.3.1", folder)
    return folder, uploaded(folder, store, "real")


def test_the_schemes_of_hadoop_and_globs_name_the_same_files(real: tuple[Path, str], store: Mapping[str, str]) -> None:
    _, url = real
    expected = columns.table(url, options=store)
    assert columns.table(url.replace("s3://", "s3a://"), options=store).equals(expected)
    assert columns.table(url.replace("/real", "/re*"), options=store).equals(expected)


@pytest.mark.parametrize("view", VIEWS)
def test_a_log_directory_in_a_bucket_is_read_as_one_on_a_disk(
    real: tuple[Path, str], store: Mapping[str, str], view: str
) -> None:
    folder, url = real
    expected = columns.table(folder, view, columns="all")
    assert expected.num_rows > 10 or view == "index"  # short segments have no entries
    assert columns.table(url, view, columns="all", options=store).equals(expected)


def test_some_offsets_of_a_segment_in_a_bucket_are_found_by_its_index(tmp_path: Path, store: Mapping[str, str]) -> None:
    made = batches(100)
    write_segment(tmp_path / "t-0", made)
    write_index(tmp_path / "t-0", made, every=4)
    url = uploaded(tmp_path, store, "indexed")
    assert columns.table(f"{url}/t-0", offsets=(555, 566), options=store)["offset"].to_pylist() == [*range(555, 566)]


def test_spark_reads_a_bucket(spark: SparkSession, real: tuple[Path, str], store: Mapping[str, str]) -> None:
    folder, url = real
    frame = spark.read.format("kafkalog").options(**store).option("topic", "plain2").load(url)
    assert frame.count() == columns.table(folder, topics=["plain2"]).num_rows > 0


def test_credentials_may_come_from_the_environment(
    tmp_path: Path, store: Mapping[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest is then part of the URL."""
    write_segment(tmp_path / "t-0", batches(2))
    url = uploaded(tmp_path, store, "environment")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", store["storage.access_key"])
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", store["storage.secret_key"])
    settings = "&".join(f"{key.removeprefix('storage.')}={value}" for key, value in store.items() if "key" not in key)
    assert columns.table(f"{url}?{settings}").num_rows == 20
