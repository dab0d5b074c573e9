"""What happens to the directory of a deleted partition."""

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.log.files import Directory

DELAY_MS = 60_000


def started(release: str) -> tuple[FakeKafka, ManualClock]:
    clock = ManualClock()
    kafka = FakeKafka(release, clock=clock).boot()
    kafka.create_topic("t")
    return kafka, clock


def root(kafka: FakeKafka) -> Directory:
    assert kafka._runtime.storage is not None
    return kafka._runtime.storage.root


def test_up_to_0_10_1_a_deleted_partition_goes_at_once() -> None:
    kafka, _ = started("0.10.1")
    kafka.delete_topic("t")
    assert root(kafka).directories() == []
    kafka.stop()


@pytest.mark.parametrize("release", ["0.10.2", "1.0", "2.3", "4.1"])
def test_from_0_10_2_on_a_deleted_partition_is_renamed_and_goes_later(release: str) -> None:
    kafka, clock = started(release)
    kafka.delete_topic("t")
    (name,) = root(kafka).directories()
    assert name.startswith("t-0.")
    assert name.endswith("-delete")
    clock.advance(2 * DELAY_MS)
    assert root(kafka).directories() == []
    kafka.stop()


def test_a_deleted_partition_that_a_stop_leaves_goes_after_the_next_start() -> None:
    kafka, clock = started("2.3")
    kafka.delete_topic("t")
    kafka.restart()
    assert len(root(kafka).directories()) == 1
    clock.advance(2 * DELAY_MS)
    assert root(kafka).directories() == []
    assert kafka.topics() == {}
    kafka.stop()


@pytest.mark.parametrize(("release", "runs"), [("0.11.0", True), ("1.0", False), ("2.2.1", False), ("2.2.2", True)])
def test_a_name_without_room_for_the_suffix_is_cut_or_halts_the_broker(release: str, runs: bool) -> None:
    """KAFKA-4893: from 1.0 on a broker halts as it does for any disk error; from 2.2.2 on the name is cut."""
    kafka, _ = started(release)
    kafka.create_topic("l" * 249)
    kafka.delete_topic("l" * 249)
    assert bool(kafka.brokers()) == runs
    kafka.stop()
