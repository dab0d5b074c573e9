"""The steps of an upgrade."""

from fakekafka import FakeKafka


def name() -> None:
    with FakeKafka("0.10.2") as kafka:
        assert next(iter(kafka.upgrade(to="2.3"))).name == "new code, old format"


def apply() -> None:
    with FakeKafka("0.10.2") as kafka:
        kafka.upgrade(to="2.3")[0].apply()
        assert kafka.release == "2.3.1"


def rollback() -> None:
    with FakeKafka("0.10.2") as kafka:
        step = kafka.upgrade(to="2.3")[0]
        step.apply()
        assert step.rollback() == []  # nothing is left behind
        assert kafka.release == "0.10.2.2"


def left_behind() -> None:
    with FakeKafka("0.10.2", topics={"orders": 1}) as kafka:
        steps = kafka.upgrade(to="2.3")
        for step in steps:
            step.apply()
        kafka.send("orders", b"two apples")
        [left] = steps["new format"].left_behind()
        assert (left.topic, left.first_offset, left.how_many) == ("orders", 0, 1)


def old_clients() -> None:
    with FakeKafka("0.10.2") as kafka:
        assert kafka.upgrade(to="2.3")["new format"].old_clients() == []  # no client reads with an old version
