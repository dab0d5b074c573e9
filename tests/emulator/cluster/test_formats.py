import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.cluster.formats import message_format

from tests.support.seeded import broker_of, partition_of


def kafka_with(release: str, config: dict[str, object] | None = None, topic_format: str | None = None) -> FakeKafka:
    kafka = FakeKafka(release, config=config, clock=ManualClock()).boot()
    kafka.create_topic("t", config={"message.format.version": topic_format} if topic_format else {})
    return kafka


def in_force(kafka: FakeKafka) -> int:
    """The format that the topic's log was given."""
    return partition_of(kafka).log.config.message_format


@pytest.mark.parametrize(
    ("release", "magic"),
    [("0.8.0", 0), ("0.9.0", 0), ("0.10.0", 1), ("0.10.2", 1), ("0.11.0", 2), ("3.9", 2), ("4.0", 2)],
)
def test_a_release_writes_its_own_format_by_default(release: str, magic: int) -> None:
    assert in_force(kafka_with(release)) == magic


@pytest.mark.parametrize("release", ["0.10.2", "0.11.0", "2.8"])
def test_broker_and_topic_may_choose_an_older_format(release: str) -> None:
    config: dict[str, object] = {"log.message.format.version": "0.9.0"}
    assert in_force(kafka_with(release, config)) == 0
    assert in_force(kafka_with(release, config, "0.10.0")) == 1
    assert in_force(kafka_with(release, topic_format="0.9.0")) == 0


def test_from_3_0_on_the_format_can_be_chosen_only_with_an_older_protocol() -> None:
    old: dict[str, object] = {"inter.broker.protocol.version": "2.8", "log.message.format.version": "0.10.2"}
    assert in_force(kafka_with("3.2", old)) == 1
    assert in_force(kafka_with("3.2", {"log.message.format.version": "0.10.2"}, "0.9.0")) == 2
    assert in_force(kafka_with("3.9", topic_format="0.9.0")) == 2


def test_a_format_newer_than_the_protocol_counts_until_the_topic_is_configured_again() -> None:
    """Recorded from 0.11.0.3 to 2.8.2: illegal_configs."""
    old: dict[str, object] = {"inter.broker.protocol.version": "0.10.2", "log.message.format.version": "0.9.0"}
    for release, later in (("0.10.2", 1), ("0.11.0", 0), ("2.8", 0)):
        config = old | {"inter.broker.protocol.version": "0.10.0" if release == "0.10.2" else "0.10.2"}
        kafka = kafka_with(release, config, "0.10.2" if release == "0.10.2" else "0.11.0")
        created = in_force(kafka)
        assert created == (1 if release == "0.10.2" else 2)
        kafka.configure_topic("t", {"retention.ms": 1000})
        assert in_force(kafka) == later


@pytest.mark.parametrize(("release", "magic"), [("2.8.1", 2), ("3.0", 0), ("3.1", 0)])
def test_a_format_newer_than_the_protocol_always_or_never_counts_in_kraft_mode(release: str, magic: int) -> None:
    """Recorded from 2.8.1 and 3.0.2 in KRaft mode: illegal_configs."""
    old: dict[str, object] = {"inter.broker.protocol.version": "0.10.2", "log.message.format.version": "0.9.0"}
    kafka = kafka_with(release, old | {"process.roles": "broker,controller"}, "0.11.0")
    assert in_force(kafka) == magic
    kafka.restart()
    assert in_force(kafka) == magic


def test_a_topic_s_format_takes_effect_at_once() -> None:
    kafka = kafka_with("2.3")
    kafka.configure_topic("t", {"message.format.version": "0.10.0"})
    assert in_force(kafka) == 1
    kafka.configure_topic("t", {"message.format.version": None})
    assert in_force(kafka) == 2


def test_a_topic_format_that_is_not_a_version_leaves_the_broker_s_format() -> None:
    """KAFKA-7409: up to 1.1 the value was not checked when a topic was created."""
    kafka = kafka_with("1.1")
    topic = broker_of(kafka).cluster.topics["t"]
    topic.overrides["message.format.version"] = "banana"
    broker = broker_of(kafka)
    assert message_format(broker.config, broker.profile.log, topic) == 2
