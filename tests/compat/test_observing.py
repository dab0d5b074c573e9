"""What a stage shows."""

import pytest
from fakekafka import FakeKafka
from fakekafka_compat.observing import timestamp_types
from fakekafka_compat.verdict import verdict
from fakekafka_spark.observations import Cell, Observation

CELL = Cell.of("kp147", "2.3", "2.3", "", "none", "roundtrip")


@pytest.mark.parametrize(
    ("release", "stamps", "wrong"),
    [("0.9.0", "CreateTime", []), ("2.3", "CreateTime", []), ("2.3", "LogAppendTime", ["timestamp types"])],
)
def test_a_broker_that_stamps_its_own_times_is_called_wrong(release: str, stamps: str, wrong: list[str]) -> None:
    config = {} if release == "0.9.0" else {"log.message.timestamp.type": stamps}
    with FakeKafka(release, config=config) as kafka:
        kafka.create_topic("t")
        kafka.send("t", b"value")
        found = verdict(CELL, [Observation("cell", value="ran", amount=1), *timestamp_types(kafka.records("t"))])
    assert [reason.partition(":")[0] for reason in found.reasons] == wrong
