"""Properties that do not go together, in the words of real brokers: each release named here was asked.

`tox -e real-bounds` gives random numbers to real releases and compares.
"""

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import BrokerWillNotStart

BETWEEN = {
    "3.5": "requirement failed: {} must be greater than or equals to {}",
    "3.8.1": "requirement failed: {} must be greater than or equals to {}",
    "3.9.1": "{} must be greater than or equals to {}",
    "4.0.1": "{} must be greater than or equal to {}",
    "4.3": "{} must be greater than or equal to {}",
}


def refusal(release: str, **config: object) -> str:
    """Why a broker with these properties, written with underscores, does not start; "" if it does."""
    try:
        FakeKafka(release, config={name.replace("_", "."): value for name, value in config.items()})
    except BrokerWillNotStart as refused:
        return str(refused)
    return ""


@pytest.mark.parametrize("release", BETWEEN)
def test_a_session_is_not_shorter_than_its_minimum(release: str) -> None:
    words = BETWEEN[release].format("group.consumer.session.timeout.ms", "group.consumer.min.session.timeout.ms")
    assert refusal(release, group_consumer_session_timeout_ms=44_999) == words


@pytest.mark.parametrize("kind", ["consumer", "share", "streams"])
def test_the_heartbeat_interval_is_less_than_the_session_timeout(kind: str) -> None:
    asked = {f"group_{kind}_min_session_timeout_ms": 1000, f"group_{kind}_session_timeout_ms": 4000}
    words = f"group.{kind}.heartbeat.interval.ms must be less than group.{kind}.session.timeout.ms"
    assert refusal("4.3", **asked) == words
    assert refusal("4.3", **(asked | {f"group_{kind}_session_timeout_ms": 5001})) == ""


def test_before_4_0_the_heartbeat_interval_is_not_checked() -> None:
    assert refusal("3.9.1", group_consumer_min_session_timeout_ms=1000, group_consumer_session_timeout_ms=4000) == ""


@pytest.mark.parametrize(
    ("release", "low", "high"),
    [
        ("3.9.1", "group.share.min.record.lock.duration.ms=15000", "group.share.record.lock.duration.ms=10000"),
        ("4.2", "group.share.max.size=20", "group.share.max.share.sessions=10"),
        ("4.3", "group.share.min.delivery.count.limit=3", "group.share.delivery.count.limit=2"),
        ("4.3", "group.share.delivery.count.limit=9", "group.share.max.delivery.count.limit=8"),
        ("4.3", "group.share.min.partition.max.record.locks=200", "group.share.partition.max.record.locks=100"),
        ("4.3", "group.share.min.assignment.interval.ms=1001", "group.share.assignment.interval.ms=1000"),
    ],
)
def test_no_number_of_groups_lies_below_its_lower_bound(release: str, low: str, high: str) -> None:
    config = dict(one.split("=") for one in (low, high))
    less, more = config
    ending = "equals" if release == "3.9.1" else "equal"
    with pytest.raises(BrokerWillNotStart) as raised:
        FakeKafka(release, config=config)
    assert str(raised.value) == f"{more} must be greater than or {ending} to {less}"


def test_standby_replicas_have_a_maximum() -> None:
    words = "group.streams.num.standby.replicas must be less than or equal to group.streams.max.standby.replicas"
    assert refusal("4.3", group_streams_num_standby_replicas=3, group_streams_max_standby_replicas=2) == words


@pytest.mark.parametrize(
    ("release", "words"),
    [
        ("2.8", "9 is an unknown compression codec"),
        ("3.4", "9 is an unknown compression codec"),
        ("3.5", "Unknown compression type id: 9"),
        ("4.3", "Unknown compression type id: 9"),
    ],
)
def test_the_codec_of_committed_offsets_is_known(release: str, words: str) -> None:
    assert refusal(release, offsets_topic_compression_codec=9) == words
    assert refusal(release, offsets_topic_compression_codec=1) == ""


@pytest.mark.parametrize("release", ["2.8", "3.9.1"])
def test_a_broker_id_lies_below_those_that_are_generated(release: str) -> None:
    words = (
        "requirement failed: broker.id must be greater than or equal to -1 and not greater than reserved.broker.max.id"
    )
    under_zookeeper: dict[str, object] = {"zookeeper_connect": "localhost:2181"}
    assert refusal(release, broker_id=1001, **under_zookeeper) == words
    assert refusal(release, broker_id=1001, broker_id_generation_enable=False, **under_zookeeper) == ""


ZOOKEEPER: dict[str, object] = {"zookeeper_connect": "localhost:2181"}
ONLY_IN_KRAFT = "The new 'consumer' rebalance protocol is only supported in KRaft cluster."


@pytest.mark.parametrize("release", ["3.7.2", "3.9.1", "4.0.1", "4.3.1"])
def test_the_classic_protocol_cannot_be_left_out(release: str) -> None:
    words = "Disabling the 'classic' protocol is not supported."
    assert refusal(release, group_coordinator_rebalance_protocols="consumer") == words
    assert refusal(release, group_coordinator_rebalance_protocols="classic") == ""


@pytest.mark.parametrize(("release", "words"), [("3.7.2", ""), ("3.8.1", ONLY_IN_KRAFT), ("3.9.1", ONLY_IN_KRAFT)])
def test_under_zookeeper_there_are_no_new_consumer_groups(release: str, words: str) -> None:
    protocols = "classic,consumer"
    assert refusal(release, group_coordinator_rebalance_protocols=protocols, **ZOOKEEPER) == words
    assert refusal(release, group_coordinator_rebalance_protocols=protocols) == ""


@pytest.mark.parametrize("release", ["3.3.2", "3.4.1", "3.9.1"])
def test_a_broker_under_zookeeper_names_no_listeners_of_controllers(release: str) -> None:
    words = "requirement failed: controller.listener.names must be empty when not running in KRaft mode: [A, B]"
    assert refusal(release, controller_listener_names="A,B", **ZOOKEEPER) == words


@pytest.mark.parametrize(
    ("release", "voters"),
    [
        ("3.4.1", "controller.quorum.voters must contain a parseable set of voters."),
        ("3.8.1", "controller.quorum.voters must contain a parseable set of voters."),
        (
            "3.9.1",
            "either controller.quorum.bootstrap.servers must contain the set of bootstrap controllers or"
            " controller.quorum.voters must contain a parseable set of controllers.",
        ),
    ],
)
def test_a_broker_that_is_to_migrate_names_the_controllers_and_how_to_speak_to_them(release: str, voters: str) -> None:
    migrating = ZOOKEEPER | {"zookeeper_metadata_migration_enable": True}
    assert refusal(release, **migrating) == f"If using zookeeper.metadata.migration.enable, {voters}"
    migrating |= {"controller_quorum_voters": "1000@localhost:1"}
    assert refusal(release, **migrating).endswith("must not be empty when running in ZooKeeper migration mode: []")
    migrating |= {"controller_listener_names": "CONTROLLER"}
    words = (
        "requirement failed: Cannot enable ZooKeeper migration without setting 'inter.broker.protocol.version' to 3.4"
        " or higher"
    )
    assert refusal(release, **migrating, inter_broker_protocol_version="3.3") == words
    assert refusal(release, **migrating) == ""
