"""What topic configs require of records."""

import pytest
from fakekafka.records.append.prepared import NO_LIMIT, AppendTarget
from fakekafka.state.append_targets import append_target, min_in_sync
from fakekafka.state.configs import TopicConfig

from tests.support.seeded import booted, broker_of


def config(release: str, **overrides: str) -> TopicConfig:
    kafka = booted(release, 1, None, **overrides)
    return TopicConfig(broker_of(kafka).config, kafka.connect().core.cluster.topics["t"].overrides)


def target(release: str, protocol: str = "", **overrides: str) -> AppendTarget:
    return append_target(config(release, **overrides), 2, "t-0", protocol)


def test_a_topic_without_configs_accepts_nearly_everything() -> None:
    assert target("2.8.2") == AppendTarget(2, max_bytes=1048588, name="t-0")


@pytest.mark.parametrize(
    ("kind", "codec"),
    [("producer", None), ("uncompressed", 0), ("gzip", 1), ("snappy", 2), ("lz4", 3), ("zstd", 4)],
)
def test_every_compression_type_is_a_codec(kind: str, codec: int | None) -> None:
    assert target("2.8.2", compression_type=kind).codec == codec


def test_the_level_is_that_of_the_topics_codec() -> None:
    levels = {"compression_gzip_level": "7", "compression_zstd_level": "2"}
    assert target("3.9.1", compression_type="gzip", **levels).level == 7
    assert target("3.9.1", compression_type="zstd", **levels).level == 2
    assert target("3.9.1", compression_type="snappy", **levels).level is None
    assert target("3.9.1", **levels).level is None


def test_before_3_8_topics_have_no_compression_level() -> None:
    assert target("3.7.2", compression_type="gzip").level is None


def test_compaction_append_time_and_size_follow_from_the_topic() -> None:
    made = target(
        "2.8.2", cleanup_policy="compact,delete", message_timestamp_type="LogAppendTime", max_message_bytes="9"
    )
    assert (made.compacted, made.append_time, made.max_bytes) == (True, True, 9)


def test_one_limit_on_timestamps_holds_on_both_sides() -> None:
    made = target("2.8.2", message_timestamp_difference_max_ms="5")
    assert (made.before_max_ms, made.after_max_ms) == (5, 5)


def test_from_3_6_on_each_side_may_have_its_own() -> None:
    made = target("3.9.1", message_timestamp_difference_max_ms="5", message_timestamp_before_max_ms="7")
    assert (made.before_max_ms, made.after_max_ms) == (7, 5)


def test_from_4_0_on_a_record_may_be_an_hour_ahead() -> None:
    made = target("4.3.1")
    assert (made.before_max_ms, made.after_max_ms) == (NO_LIMIT, 3600000)


@pytest.mark.parametrize(
    ("protocol", "allowed"), [("", True), ("2.0-IV1", False), ("2.1-IV0", True), ("3.0-IV1", True)]
)
def test_zstd_needs_a_protocol_that_knows_it(protocol: str, allowed: bool) -> None:
    assert target("2.8.2", protocol).zstd_allowed is allowed


def test_min_insync_replicas_may_be_capped() -> None:
    wanted = config("3.9.1", min_insync_replicas="3")
    assert [min_in_sync(wanted, most) for most in (None, 1, 2, 5)] == [3, 1, 2, 3]
