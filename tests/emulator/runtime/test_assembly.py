"""What lies in a directory."""

from pathlib import Path

import pytest
from fakekafka import BrokerSettings, BrokerWillNotStart, FakeKafka, UsageError
from fakekafka.releases.release import NEWEST
from fakekafka.runtime.assembly import broker_folder, what_lies_in


def test_a_directory_tells_its_release_and_its_brokers(tmp_path: Path) -> None:
    with FakeKafka("0.11.0", brokers=2, log_dir=tmp_path / "two", topics={"t": 1}).boot():
        pass
    assert what_lies_in(tmp_path / "two") == ("0.11.0.3", 2, "zk")
    assert (tmp_path / "two" / broker_folder(1)).is_dir()


def test_of_an_unknown_directory_the_newest_release_is_thought(tmp_path: Path) -> None:
    assert what_lies_in(tmp_path) == (NEWEST, 1, None)
    with pytest.raises(UsageError, match="is not a directory"):
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


@pytest.mark.parametrize("config", [{"broker.id": 5}, {"process.roles": "broker,controller", "node.id": 5}], ids=str)
def test_a_broker_has_the_id_that_its_properties_tell(config: dict[str, object]) -> None:
    kafka = FakeKafka("3.9", config=config).boot()
    assert list(kafka.brokers()) == [5]
    kafka.stop()


def test_an_id_of_minus_one_leaves_it_open() -> None:
    kafka = FakeKafka("2.3", config={"broker.id": -1}).boot()
    assert list(kafka.brokers()) == [0]
    kafka.stop()


def test_each_of_several_brokers_may_have_an_id_of_its_own() -> None:
    brokers = [BrokerSettings(config={"broker.id": n}) for n in (7, 3)]
    kafka = FakeKafka("2.3", brokers=brokers, topics={"t": 1}).boot()
    assert sorted(kafka.brokers()) == [3, 7]
    kafka.stop()


def test_brokers_with_one_id_are_refused() -> None:
    with pytest.raises(UsageError, match="different ids"):
        FakeKafka("2.3", brokers=2, config={"broker.id": 1}).boot()


def test_files_of_another_broker_are_refused(tmp_path: Path) -> None:
    FakeKafka("2.3", log_dir=tmp_path, config={"broker.id": 5}).boot().stop()
    with pytest.raises(BrokerWillNotStart, match="5"):
        FakeKafka("2.3", log_dir=tmp_path, config={"broker.id": 6}).boot()
    kafka = FakeKafka("2.3", log_dir=tmp_path).boot()
    assert list(kafka.brokers()) == [5]
    kafka.stop()
