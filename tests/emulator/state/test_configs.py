"""The configuration of brokers and topics: which text wins, and what it means."""

import pytest
from fakekafka.errors import BrokerWillNotStart, UsageError
from fakekafka.log.config import LogConfig
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release
from fakekafka.state.configs import MOST_BEGUN, BrokerConfig, Source, TopicConfig


def config(
    release: str = "2.3", brokers: int = 1, kafkas_own: frozenset[str] = frozenset(), **given: str
) -> BrokerConfig:
    properties = {name.replace("_", "."): text for name, text in given.items()}
    return BrokerConfig(profile(Release.parse(release)), properties, brokers, kafkas_own)


def test_a_default_is_that_of_the_release() -> None:
    assert config("0.10.2").int("log.cleaner.threads") == 1
    assert config("0.8.2").bool("log.cleaner.enable") is False
    assert config("0.9.0").bool("log.cleaner.enable") is True


def test_a_config_that_a_release_does_not_have_is_absent() -> None:
    assert config("0.10.2").value("message.downconversion.enable") is None
    assert config("0.10.2").int("max.incremental.fetch.session.cache.slots", absent=7) == 7


def test_a_property_wins_over_our_default_and_ours_over_kafka_s() -> None:
    name = "group.initial.rebalance.delay.ms"
    assert config().int(name) == 0
    assert config(group_initial_rebalance_delay_ms="50").int(name) == 50
    assert config(kafkas_own=frozenset({name})).int(name) == 3000
    assert config().sources(name) == [(Source.STATIC, "0"), (Source.DEFAULT, "3000")]


@pytest.mark.parametrize(("brokers", "replicas"), [(1, 1), (2, 2), (3, 3), (5, 3)])
def test_internal_topics_have_as_many_replicas_as_there_can_be(brokers: int, replicas: int) -> None:
    assert config(brokers=brokers).int("offsets.topic.replication.factor") == replicas


def test_dynamic_configs_win_and_the_broker_s_own_win_over_those_of_all_brokers() -> None:
    broker = config(log_retention_ms="10")
    own, everyone = {"log.retention.ms": "30"}, {"log.retention.ms": "20"}
    assert broker.of_broker({}, everyone).int("log.retention.ms") == 20
    broker = broker.of_broker(own, everyone)
    assert broker.sources("log.retention.ms")[:3] == [
        (Source.DYNAMIC_BROKER, "30"), (Source.DYNAMIC_DEFAULT, "20"), (Source.STATIC, "10"),
    ]  # fmt: skip
    del own["log.retention.ms"]
    broker.changed()
    assert broker.int("log.retention.ms") == 20


def test_a_read_only_config_cannot_be_set_while_the_broker_runs() -> None:
    broker = config().of_broker({"offsets.topic.num.partitions": "3"}, {})
    assert broker.int("offsets.topic.num.partitions") == 50


def test_a_dynamic_config_that_this_release_does_not_accept_is_passed_over() -> None:
    broker = config(log_retention_ms="10").of_broker({"log.retention.ms": "many"}, {})
    assert broker.int("log.retention.ms") == 10


def test_brokers_of_the_same_properties_have_their_own_dynamic_configs() -> None:
    both, everyone = config(), {"log.retention.ms": "20"}
    changed: dict[str, str] = {}
    one, other = both.of_broker(changed, everyone), both.of_broker({}, everyone)
    assert one.of_topic({}) is other.of_topic({})
    changed["log.segment.bytes"] = "1048576"
    assert one.int("log.segment.bytes") == 1 << 20  # even before it is reported
    one.changed()
    assert one.of_topic({}).log_config().segment_bytes == one.of_topic({}).int("segment.bytes") == 1 << 20
    assert other.int("log.segment.bytes") == other.of_topic({}).log_config().segment_bytes == 1 << 30
    assert both.value("log.retention.ms") is None


def test_a_configuration_remembers_few_combinations_of_dynamic_configs() -> None:
    both = config()
    for retention_ms in (*range(MOST_BEGUN + 2), 0):
        assert both.of_broker({"log.retention.ms": str(retention_ms)}, {}).int("log.retention.ms") == retention_ms
    assert len(both._begun) <= MOST_BEGUN


def test_a_broker_config_with_other_dynamic_configs_can_be_imagined() -> None:
    broker = config()
    other = broker.imagined({"log.retention.ms": "30"}, {})
    assert other.int("log.retention.ms") == 30
    assert broker.value("log.retention.ms") is None


@pytest.mark.parametrize(("release", "kept"), [("2.3", 700), ("2.6", None)])
def test_logs_do_not_always_hear_of_a_deleted_config(release: str, kept: int | None) -> None:
    """KAFKA-9625."""
    own = {"message.max.bytes": "700"}
    broker = config(release).of_broker(own, {})
    broker.changed()
    del own["message.max.bytes"]
    broker.changed()
    default = config(release).int("message.max.bytes")
    assert broker.int("message.max.bytes") == default
    assert broker.of_topic({}).int("max.message.bytes") == (kept or default)
    assert TopicConfig(broker, {}, is_shown=True).int("max.message.bytes") == default
    own["log.segment.bytes"] = "1048576"
    broker.changed()
    assert broker.of_topic({}).int("max.message.bytes") == default


def test_a_wrong_value_is_refused_in_the_broker_s_words() -> None:
    with pytest.raises(BrokerWillNotStart, match=r"Invalid value 0 for configuration num\.partitions: Value must"):
        config(num_partitions="0")


def test_a_wrong_name_is_reported_with_near_ones() -> None:
    with pytest.raises(UsageError, match=r"no config 'num\.partition': did you mean num\.partitions"):
        config(num_partition="1")


def test_a_topic_has_its_own_value_or_its_brokers() -> None:
    broker = config(log_retention_hours="2", log_segment_bytes="1048576")
    assert TopicConfig(broker, {}).int("retention.ms") == 7_200_000
    assert TopicConfig(broker, {"retention.ms": "5"}).int("retention.ms") == 5
    assert TopicConfig(broker, {}).int("segment.bytes") == 1 << 20
    assert TopicConfig(broker, {}).int("no.such.config", absent=3) == 3


def test_topics_see_the_broker_s_message_format_by_its_full_name() -> None:
    """Recorded from 1.1.1, 2.3.1 and 3.9.1: describe_configs."""
    broker = config(log_message_format_version="1.0")
    assert broker.value("log.message.format.version") == "1.0"
    assert broker.of_topic({}).value("message.format.version") == "1.0-IV0"
    assert broker.of_topic({"message.format.version": "1.0"}).value("message.format.version") == "1.0"


def test_a_broker_s_finer_unit_wins_for_its_topics() -> None:
    broker = config(log_retention_hours="2", log_retention_minutes="3", log_retention_ms="4")
    assert TopicConfig(broker, {}).int("retention.ms") == 4


def test_cleanup_policy_is_a_list_even_where_the_release_accepts_one_word() -> None:
    assert TopicConfig(config("0.10.0"), {"cleanup.policy": "compact"}).cleanup_policy == ("compact",)
    both = TopicConfig(config("2.3"), {"cleanup.policy": "compact,delete"})
    assert both.cleanup_policy == ("compact", "delete")
    assert both.log_config().compact
    assert both.log_config().delete


def test_a_compacted_topic_closes_segments_in_time_to_be_cleaned() -> None:
    lag = {"max.compaction.lag.ms": "1000", "segment.ms": "5000"}
    assert TopicConfig(config("2.3"), lag | {"cleanup.policy": "compact"}).log_config().segment_ms == 1000
    assert TopicConfig(config("2.3"), lag).log_config().segment_ms == 5000


def test_a_log_config_follows_from_the_topic() -> None:
    overrides = {
        "segment.bytes": "2048",
        "index.interval.bytes": "10",
        "preallocate": "true",
        "file.delete.delay.ms": "9",
    }
    told = TopicConfig(config("2.3"), overrides | {"file.delete.delay.ms": "9"}).log_config()
    assert (told.segment_bytes, told.index_interval_bytes, told.file_delete_delay_ms) == (2048, 10, 9)
    assert told.preallocate
    assert told.max_message_bytes == 1_000_012
    assert told.delete_retention_ms == LogConfig().delete_retention_ms
