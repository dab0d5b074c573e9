"""What lies in a directory."""

from pathlib import Path

import pytest
from fakekafka import FakeKafka, UsageError
from fakekafka.assembly import broker_folder, what_lies_in
from fakekafka.releases.release import NEWEST


def test_a_directory_tells_its_release_and_its_brokers(tmp_path: Path) -> None:
    with FakeKafka("0.11.0", brokers=2, log_dir=tmp_path / "two", topics={"t": 1}).boot():
        pass
    assert what_lies_in(tmp_path / "two") == ("0.11.0.3", 2, "zk")
    assert (tmp_path / "two" / broker_folder(1)).is_dir()


def test_of_an_unknown_directory_the_newest_release_is_thought(tmp_path: Path) -> None:
    assert what_lies_in(tmp_path) == (NEWEST, 1, None)
    with pytest.raises(UsageError, match="is no directory"):
        what_lies_in(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("properties", "mode"), [("version=0\nbroker.id=0\n", "zk"), ("version=1\nnode.id=0\n", "kraft"), ("", None)]
)
def test_a_real_brokers_directory_tells_who_kept_the_metadata(
    tmp_path: Path, properties: str, mode: str | None
) -> None:
    (tmp_path / "meta.properties").write_text(properties, "utf-8")
    assert what_lies_in(tmp_path).mode == mode
    (tmp_path / "__cluster_metadata-0").mkdir()
    assert what_lies_in(tmp_path).mode == "kraft"
