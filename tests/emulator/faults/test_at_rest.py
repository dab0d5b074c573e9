"""Records damaged where they are stored: `faults/at_rest.py`."""

from pathlib import Path
from typing import Any

import pytest
from fakekafka import FakeKafka, ManualClock, UsageError
from fakekafka.wire.apis.fetch import FetchResponse

from tests.support.faults import NOW, Client, fetch


def stored(kafka: FakeKafka) -> bytes:
    answer = Client(kafka).ask(fetch(("orders", 0)), 11, FetchResponse)
    return bytes(answer.responses[0].partitions[0].records or b"")


@pytest.mark.parametrize("how", ["flip a byte", "bad crc", "zeros"])
@pytest.mark.parametrize("on_disk", [False, True])
def test_one_batch_is_damaged_and_its_neighbours_are_not(how: Any, on_disk: bool, tmp_path: Path) -> None:
    log_dir = tmp_path / "logs" if on_disk else None
    kafka = FakeKafka("2.3", topics={"orders": 1}, clock=ManualClock(NOW), log_dir=log_dir).boot()
    for n in range(3):
        kafka.send("orders", b"value %d" % n)
    before = stored(kafka)
    assert kafka.damage("orders", how=how, offset=1) == 1
    after, third = stored(kafka), len(before) // 3
    assert len(after) == len(before)
    assert (after[:third], after[2 * third :]) == (before[:third], before[2 * third :])
    assert after[third : 2 * third] != before[third : 2 * third]
    kafka.stop()


def test_a_consumer_finds_the_damage_which_is_in_the_last_batch_by_default() -> None:
    kafka = FakeKafka("2.3", topics={"orders": 1}, brokers=2, config={"default.replication.factor": 2}).boot()
    for n in range(2):
        kafka.send("orders", b"value %d" % n)
    assert kafka.damage("orders", how="flip a byte", broker=1) == 1
    with pytest.raises(UsageError, match="orders-0 cannot be read"):
        kafka.records("orders", broker=1)
    assert [record.value for record in kafka.records("orders", broker=0)] == [b"value 0", b"value 1"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"topic": "other"}, "no topic 'other'"),
        ({"topic": "orders", "partition": 7}, "no partition 7"),
        ({"topic": "orders"}, r"orders-0 stores nothing(?! at)"),
        ({"topic": "orders", "offset": 5}, "orders-0 stores nothing at 5"),
        ({"topic": "orders", "how": "badly"}, "'flip a byte', 'bad crc', 'zeros'"),
        ({"topic": "orders", "broker": 1}, "broker 1"),
    ],
)
def test_records_that_cannot_be_damaged_are_refused(arguments: Any, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        FakeKafka("2.3", topics={"orders": 1}).boot().damage(**arguments)
