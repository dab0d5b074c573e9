"""The arguments of `FakeKafka`, of the marker `fake_kafka` and of the fixture `fake_kafka_factory`."""

from pathlib import Path

from fakekafka import BrokerSettings, FakeKafka, ManualClock


def release() -> None:
    FakeKafka(release="2.3.0")  # or "2.3": its last patch release


def config() -> None:
    FakeKafka(config={"num.partitions": 4, "log.retention.ms": 60_000})


def topics() -> None:
    FakeKafka(topics={"orders": 3, "bills": 1})


def brokers() -> None:
    FakeKafka("2.3", brokers=3)
    FakeKafka("2.3", brokers=[BrokerSettings(), BrokerSettings("2.4")])


def log_dir(folder: Path) -> None:
    with FakeKafka(log_dir=folder, topics={"orders": 1}):
        assert (folder / "orders-0" / "00000000000000000000.log").exists()


def clock() -> None:
    FakeKafka(clock=ManualClock())


def api_versions() -> None:
    FakeKafka("2.3", api_versions={"Produce": 2, "Fetch": (0, 3)})  # Produce up to 2, Fetch from 0 to 3


def host() -> None:
    FakeKafka(host="127.0.0.1")


def port() -> None:
    FakeKafka(port=9092)
    FakeKafka(brokers=2, port=[9092, 9192])


def phase() -> None:
    FakeKafka(phase="0.10.2 -> 2.3: new code, old format")


def pace() -> None:
    FakeKafka(pace="lifelike")


def quirks() -> None:
    FakeKafka("1.0.1", quirks="-KAFKA-6739")


def features() -> None:
    FakeKafka("3.9", features={"metadata.version": 14})


def drafts() -> None:
    FakeKafka("3.9", drafts=["KIP-984"])


def unknown_configs() -> None:
    FakeKafka(config={"my.own.property": "1"}, unknown_configs="ignored")


def users() -> None:
    FakeKafka(users={"alice": "wonderland"})


def sasl() -> None:
    FakeKafka(users={"alice": "wonderland"}, sasl=["PLAIN", "SCRAM-SHA-512"])


def tls() -> None:
    FakeKafka(tls=True)


def oauth() -> None:
    FakeKafka(oauth=True)


def acls() -> None:
    FakeKafka(users={"alice": "wonderland"}, acls=["User:alice allow Read,Write topic orders"])


def telemetry() -> None:
    FakeKafka("3.9", telemetry=True)


def authorizer() -> None:
    FakeKafka(
        users={"alice": "wonderland"}, authorizer=lambda principal, operation, resource, host: operation == "Read"
    )


def partition_limit() -> None:
    FakeKafka("0.10.2", partition_limit=100)


def max_memory() -> None:
    FakeKafka(max_memory=256 << 20)  # bytes of logs; what was written longest ago moves to temporary files


def faults() -> None:
    FakeKafka(faults='[[fault]]\nfail = "NOT_LEADER_OR_FOLLOWER"\napi = "Produce"\ntimes = 2\n')


def faulty_disks() -> None:
    FakeKafka(faulty_disks=True)


def journal() -> None:
    FakeKafka(journal=1_000)  # requests; 0: none


def journal_bytes() -> None:
    FakeKafka(journal_bytes=1 << 20)


def on_broker_death() -> None:
    FakeKafka(on_broker_death=lambda broker, error: print(f"broker {broker} died: {error}"))
