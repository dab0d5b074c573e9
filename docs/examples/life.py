"""`FakeKafka` itself: its life cycle and its properties."""

from pathlib import Path

from fakekafka import FakeKafka, ManualClock


def start() -> None:
    kafka = FakeKafka("2.3").start()
    assert kafka.bootstrap_servers.startswith("127.0.0.1:")
    kafka.stop()


def boot() -> None:
    with FakeKafka("2.3", topics={"orders": 1}).boot() as kafka:  # no sockets: for many short tests of what is stored
        kafka.send("orders", b"two apples")
        assert kafka.records("orders")[0].magic == 2


def stop() -> None:
    kafka = FakeKafka("2.3", topics={"orders": 1}).start()
    kafka.stop(crash=True, unsynced="lost")  # as if the machine had lost its power
    assert not kafka.is_running
    kafka.stop()  # a second call does nothing


def restart(kafka: FakeKafka) -> None:
    port = kafka.port
    kafka.send("orders", b"two apples")
    kafka.restart("4.0")
    assert (kafka.port, kafka.release) == (port, "4.0.2")
    assert [record.value for record in kafka.records("orders")] == [b"two apples"]


def load(kafka: FakeKafka, folder: Path) -> None:
    kafka.send("orders", b"two apples")
    kafka.stop()
    kafka.save(folder)
    with FakeKafka.load(folder) as copy:
        assert [record.value for record in copy.records("orders")] == [b"two apples"]


def save(kafka: FakeKafka, folder: Path) -> None:
    kafka.save(folder)
    assert (folder / "orders-0" / "00000000000000000000.log").exists()


def restore(kafka: FakeKafka, folder: Path) -> None:
    kafka.save(folder)
    kafka.send("orders", b"two apples")
    kafka.restore(folder)
    assert kafka.records("orders") == []


def reset(kafka: FakeKafka) -> None:
    kafka.create_topic("bills")
    kafka.reset()
    assert kafka.topics() == {"orders": 2}


def is_running() -> None:
    kafka = FakeKafka("2.3")
    assert not kafka.is_running
    with kafka:
        assert kafka.is_running


def release() -> None:
    assert FakeKafka("2.3").release == "2.3.1"


def explain() -> None:
    for difference in FakeKafka("2.3").explain():
        print(difference)  # what differs: … here, … in a real broker: why


def phase() -> None:
    with FakeKafka(phase="0.10.2 -> 2.3: new code, old format") as kafka:
        assert kafka.phase.name == "new code, old format"
        assert kafka.phase.magic == 1


def upgrade() -> None:
    with FakeKafka("0.10.2", topics={"orders": 1}) as kafka:
        for step in kafka.upgrade(to="2.3"):
            step.apply()
        assert kafka.release == "2.3.1"


def upgrade_along() -> None:
    with FakeKafka("0.10.2") as kafka:
        phases = kafka.upgrade(to="2.3").phases  # as written down when the upgrade began
        kafka.upgrade_along(phases, phases[0])[0].apply()
        assert kafka.phase == phases[1]


def plugins() -> None:
    with FakeKafka("3.9", drafts=["KIP-984"]) as kafka:
        kafka.plugins.register("snappyPlugin")
        assert "snappyPlugin" in kafka.plugins.registered()["java"]


def faults(kafka: FakeKafka) -> None:
    rule = kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER", times=1, expected=False)
    assert list(kafka.faults.rules) == [rule]


def clock() -> None:
    clock = ManualClock()
    with FakeKafka(clock=clock) as kafka:
        clock.advance(60_000)
        assert kafka.clock.now_ms == clock.now_ms
