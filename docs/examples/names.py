"""The other public names of `fakekafka`."""

from pathlib import Path

from fakekafka import (
    NEWEST,
    BrokerSettings,
    BrokerWillNotStart,
    Clock,
    ErrorCode,
    FakeKafka,
    FakeKafkaError,
    ManualClock,
    Options,
    Release,
    SystemClock,
    UsageError,
)
from kafka import KafkaConsumer, KafkaProducer


def newest() -> None:
    assert FakeKafka().release == str(Release.parse(NEWEST))


def broker_settings() -> None:
    canary = BrokerSettings("3.9", config={"num.partitions": 4})
    with FakeKafka("3.8", brokers=[BrokerSettings(), canary]) as kafka:
        assert kafka.brokers() == {0: "3.8.1", 1: "3.9.2"}


def broker_will_not_start(folder: Path) -> None:
    FakeKafka("3.9", log_dir=folder, topics={"orders": 1}).start().stop()
    try:
        FakeKafka("2.3", log_dir=folder).start()
    except BrokerWillNotStart as refusal:
        print(refusal)  # what the real 2.3 would say


def committed_offset(kafka: FakeKafka) -> None:
    kafka.send("orders", b"two apples", partition=0)
    settings = kafka.client_config("kafka-python", quick=True)
    with KafkaConsumer("orders", group_id="shop", auto_offset_reset="earliest", **settings) as consumer:
        next(consumer)  # the offset after it is committed when the consumer closes
    kafka.commit_if("shop", "orders", 0, 5, expected=kafka.committed("shop")["orders", 0].offset)
    assert kafka.committed("shop")["orders", 0].offset == 5


def conversion() -> None:
    with FakeKafka("2.3", topics={"orders": 1}, api_versions={"Fetch": 3}) as kafka:  # as for an old consumer
        kafka.send("orders", b"two apples")
        settings = kafka.client_config("kafka-python", quick=True)
        with KafkaConsumer("orders", auto_offset_reset="earliest", **settings) as consumer:
            next(consumer)
        [line] = [line for line in kafka.conversions() if not line.zero_copy]
        assert (line.api, line.version, line.records) == ("Fetch", 3, 1)


def difference() -> None:
    explained = {difference.what: difference for difference in FakeKafka("2.3").explain()}
    delay = explained["group.initial.rebalance.delay.ms"]
    assert (delay.real, delay.here) == ("3000", "0")


def entry(kafka: FakeKafka) -> None:
    with KafkaProducer(client_id="svc-1", acks=1, enable_idempotence=False, **kafka.client_config("kafka-python")) as p:
        p.send("orders", b"two apples").get(timeout=10)
    produce = kafka.requests.where(api="Produce")[0]
    assert (produce.api, produce.client_id, produce.broker, produce.error) == ("Produce", "svc-1", 0, None)
    assert produce.request.topic_data[0].name == "orders"
    assert produce.response.responses[0].name == "orders"
    assert produce.took_ms is not None  # milliseconds of the broker's clock
    assert len(produce.frame) < 200  # bytes


def error_code(kafka: FakeKafka) -> None:
    rule = kafka.faults.fail("Produce", ErrorCode.NOT_LEADER_OR_FOLLOWER, expected=False)
    assert ErrorCode(6) is ErrorCode.NOT_LEADER_OR_FOLLOWER
    rule.remove()


def fake_kafka() -> None:
    with FakeKafka("2.3", topics={"orders": 3}) as kafka:
        kafka.send("orders", b"two apples", key=b"anna")
        assert len(kafka.records("orders")) == 1


def fake_kafka_error() -> None:
    try:
        FakeKafka("7.7")
    except FakeKafkaError as error:  # whatever this package raises on purpose
        print(error)


def group_state(kafka: FakeKafka) -> None:
    nobody = kafka.wait_for_group("shop", state="Dead")
    assert (nobody.id, nobody.members, nobody.kind) == ("shop", (), "classic")


def leftover() -> None:
    with FakeKafka("0.10.2", topics={"orders": 1}) as kafka:
        steps = kafka.upgrade(to="2.3")
        for step in steps:
            step.apply()
        kafka.send("orders", b"two apples")
        [left] = steps["new format"].rollback()
        assert (left.topic, left.partition, left.first_offset) == ("orders", 0, 0)
        print(left)


def options() -> None:
    assert set(Options._fields) > {"release", "config", "topics", "brokers"}
    assert Options(release="2.3").port == 0


def phase() -> None:
    with FakeKafka("0.10.2") as kafka:
        before, after, *_ = kafka.upgrade(to="2.3").phases
        assert before.is_like(kafka.phase)
        assert after.settings == {
            "inter.broker.protocol.version": "0.10.2",
            "log.message.format.version": "0.10.2",
        }


def release() -> None:
    assert str(Release.parse("2.3")) == "2.3.1"
    assert Release.parse("0.10.2.2") < Release.parse("0.11.0.0")
    assert Release.parse("3.9").modes == ("zk", "kraft")


def requests(kafka: FakeKafka) -> None:
    KafkaProducer(**kafka.client_config("kafka-python")).close()
    assert kafka.requests.where(api="ApiVersions")[0].error is None


def step() -> None:
    with FakeKafka("0.10.2") as kafka:
        step = kafka.upgrade(to="2.3")[0]
        assert (str(step.before.release), str(step.after.release)) == ("0.10.2.2", "2.3.1")


def stored_record(kafka: FakeKafka) -> None:
    kafka.send("orders", b"two apples", key=b"anna", headers=[("trace", b"1")], timestamp=1_700_000_000_000)
    [record] = kafka.records("orders")
    assert (record.topic, record.offset, record.headers) == ("orders", 0, (("trace", b"1"),))
    assert (record.timestamp_type, record.magic, record.codec) == ("CreateTime", 2, "none")


def manual_clock() -> None:
    clock = ManualClock()
    with FakeKafka(clock=clock) as kafka:
        clock.advance(7 * 86_400_000)  # a week, in milliseconds
        assert kafka.clock.now_ms == clock.now_ms


def clock() -> None:
    clock: Clock = FakeKafka().clock  # the machine's, unless another one is given
    assert clock.now_ms >= 1_700_000_000_000


def system_clock() -> None:
    assert isinstance(FakeKafka().clock, SystemClock)


def transaction_state(kafka: FakeKafka) -> None:
    producer = KafkaProducer(transactional_id="till-1", **kafka.client_config("kafka-python"))
    producer.init_transactions()
    producer.begin_transaction()
    producer.send("orders", b"two apples").get(timeout=10)
    state = kafka.wait_for_transaction("till-1", "Ongoing")
    assert {topic for topic, _ in state.partitions} == {"orders"}  # kafka-python may add a partition it leaves unused
    producer.commit_transaction()
    producer.close()


def upgrade() -> None:
    with FakeKafka("0.10.2") as kafka:
        steps = kafka.upgrade(to="2.3")
        assert len(steps) == len(steps.phases) - 1
        assert steps["new code, old format"].name == steps[0].name


def usage_error(kafka: FakeKafka) -> None:
    try:
        kafka.send("nowhere", b"two apples")
    except UsageError as error:  # also a ValueError
        print(error)  # no topic 'nowhere'; there are: orders
