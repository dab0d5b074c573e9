"""When the cleaner runs, on which log, and `kafka.compact`."""

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import UsageError
from fakekafka.log.checkpoints import Checkpoints
from fakekafka.log.names import CLEANER_OFFSETS
from fakekafka.wire.apis.incremental_alter_configs import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResponse,
)

from tests.support.brokers import answer

BACKOFF_MS = 15_000
SMALL = {"cleanup.policy": "compact", "min.cleanable.dirty.ratio": "0.5"}


def started(release: str = "2.3", **overrides: str) -> tuple[FakeKafka, ManualClock]:
    """A broker with a compacted topic `t`."""
    clock = ManualClock(1_600_000_000_000)
    kafka = FakeKafka(release, config={"log.cleaner.enable": "true"}, clock=clock).boot()
    kafka.create_topic("t", config=SMALL | {n.replace("_", "."): v for n, v in overrides.items()})
    return kafka, clock


def fill(kafka: FakeKafka, count: int, size: int = 10) -> None:
    for n in range(count):
        kafka.send("t", b"%d" % n * size, key=b"k%d" % (n % 2))


def keys(kafka: FakeKafka) -> list[tuple[int, bytes | None]]:
    return [(record.offset, record.key) for record in kafka.records("t")]


def checkpoint(kafka: FakeKafka) -> dict[tuple[str, int], int]:
    assert kafka._runtime.storage is not None
    return Checkpoints(kafka._runtime.storage.root).offsets(CLEANER_OFFSETS)


# ---------------------------------------------------------------- on request


@pytest.mark.parametrize("release", ["0.8.2", "0.9.0", "0.10.2", "0.11.0", "2.3", "3.9", "4.1"])
def test_compact_runs_one_pass_now(release: str) -> None:
    kafka, _ = started(release)
    fill(kafka, 6)
    (nothing,) = kafka.compact("t")
    assert (nothing.start, nothing.end, nothing.bytes_before) == (0, 0, nothing.bytes_after)
    (done,) = kafka.compact("t", roll=True)
    assert (done.partition, done.start, done.end, done.failure) == (0, 0, 6, None)
    assert done.bytes_after < done.bytes_before
    assert keys(kafka) == [(4, b"k0"), (5, b"k1")]
    assert checkpoint(kafka) == {("t", 0): 6}
    kafka.stop()


def test_a_pass_that_breaks_off_says_why() -> None:
    """0.8.2 stumbles over messages without a key."""
    kafka, _ = started("0.8.2")
    kafka.send("t", b"v")
    (done,) = kafka.compact("t", roll=True)
    assert done.failure is not None
    assert "no key" in done.failure
    assert len(kafka.records("t")) == 1
    kafka.stop()


def test_a_topic_that_is_not_compacted_is_refused() -> None:
    kafka, _ = started()
    kafka.create_topic("plain")
    with pytest.raises(UsageError, match=r"plain is not compacted: its cleanup\.policy is delete"):
        kafka.compact("plain")
    kafka.stop()


def test_0_8_0_compacts_nothing() -> None:
    with FakeKafka("0.8.0", topics={"t": 1}) as kafka, pytest.raises(UsageError, match=r"0\.8\.1 is the first"):
        kafka.compact("t")


@pytest.mark.parametrize("release", ["0.9.0", "0.11.0", "2.3", "4.1"])
def test_committed_offsets_are_compacted_as_well(release: str) -> None:
    kafka, _ = started(release)
    kafka.create_topic("__consumer_offsets", config={"cleanup.policy": "compact"})
    for n in range(4):
        kafka.send("__consumer_offsets", b"%d" % n, key=b"a group's key")
    (done,) = kafka.compact("__consumer_offsets", roll=True)
    assert done.end == 4
    assert len(kafka.records("__consumer_offsets")) == 1
    kafka.stop()


# ---------------------------------------------------------------- on the clock


def test_a_dirty_log_is_cleaned_by_itself_after_the_backoff() -> None:
    kafka, clock = started(segment_bytes="200")
    fill(kafka, 10, 30)
    assert len(keys(kafka)) == 10
    clock.advance(BACKOFF_MS)
    assert len(keys(kafka)) < 10
    assert {key for _, key in keys(kafka)} == {b"k0", b"k1"}
    kafka.stop()


def test_a_log_that_is_not_dirty_enough_waits() -> None:
    kafka, clock = started(segment_bytes="200", min_cleanable_dirty_ratio="1.0")
    fill(kafka, 10, 30)
    clock.advance(4 * BACKOFF_MS)
    assert len(keys(kafka)) == 10
    kafka.stop()


def test_records_that_are_too_young_wait_for_min_compaction_lag() -> None:
    kafka, clock = started(segment_bytes="200", min_compaction_lag_ms="100000")
    fill(kafka, 10, 30)
    clock.advance(90_000)
    assert len(keys(kafka)) == 10
    clock.advance(30_000)
    assert len(keys(kafka)) < 10
    kafka.stop()


def test_records_that_have_waited_for_max_compaction_lag_are_cleaned_however_clean_the_log_is() -> None:
    kafka, clock = started("2.4", segment_bytes="200", min_cleanable_dirty_ratio="1.0", max_compaction_lag_ms="100000")
    fill(kafka, 10, 30)
    clock.advance(50_000)
    assert len(keys(kafka)) == 10
    clock.advance(100_000)
    assert len(keys(kafka)) < 10
    kafka.stop()


def test_old_segments_of_a_topic_with_both_policies_go_with_the_cleaner() -> None:
    """KIP-71."""
    kafka, clock = started(cleanup_policy="compact,delete", segment_bytes="200", retention_ms="60000")
    fill(kafka, 10, 30)
    clock.advance(200_000)
    assert len(keys(kafka)) <= 1
    kafka.stop()


def test_without_the_cleaner_nothing_is_cleaned() -> None:
    clock = ManualClock()
    kafka = FakeKafka("2.3", config={"log.cleaner.enable": "false"}, clock=clock).boot()
    kafka.create_topic("t", config=SMALL | {"segment.bytes": "200"})
    fill(kafka, 10, 30)
    clock.advance(10 * BACKOFF_MS)
    assert len(keys(kafka)) == 10
    kafka.stop()


@pytest.mark.parametrize("release", ["2.3", "4.1"])
def test_the_dirty_part_is_known_after_a_restart_and_forgotten_with_the_topic(release: str) -> None:
    kafka, _ = started(release)
    fill(kafka, 6)
    kafka.compact("t", roll=True)
    kafka.restart()
    fill(kafka, 2)
    (done,) = kafka.compact("t", roll=True)
    assert (done.start, done.end) == (6, 8)
    kafka.delete_topic("t")
    assert checkpoint(kafka) == {}
    kafka.stop()


@pytest.mark.parametrize("release", ["0.8.2", "0.10.2", "2.3"])
def test_a_restarted_broker_cleans_at_once_although_its_clock_stands_still(release: str) -> None:
    """LogCleaner's threads look for a dirty log first and sleep afterwards (`doWork`)."""
    kafka, _ = started(release, segment_bytes="200")
    fill(kafka, 10, 30)
    kafka.restart()
    assert len(kafka.records("t")) < 10
    kafka.stop()


def test_a_single_broker_that_is_started_again_cleans_at_once_although_its_clock_stands_still() -> None:
    config = {"log.cleaner.enable": "true", "default.replication.factor": "2"}
    kafka = FakeKafka("2.3", brokers=2, config=config, clock=ManualClock()).boot()
    kafka.create_topic("t", config=SMALL | {"segment.bytes": "200"})
    fill(kafka, 10, 30)
    kafka.stop_broker(1)
    kafka.start_broker(1)
    kept, cleaned = (broker.logs.logs["t", 0].size for broker in kafka._running.cluster.brokers.values())
    assert kept > cleaned
    kafka.stop()


@pytest.mark.parametrize(("release", "dies"), [("2.0", True), ("2.1", False)])
def test_after_a_failure_the_cleaner_is_dead_or_leaves_the_partition_out(release: str, dies: bool) -> None:
    """KAFKA-7215."""
    kafka, clock = started(release, segment_bytes="200")
    kafka.create_topic("u", config=SMALL | {"segment.bytes": "200"})
    log = kafka._running.cluster.brokers[0].logs.logs["t", 0]
    fill(kafka, 10, 30)
    log.segments[0].open_log().append(bytes(100), clock.now_ms)  # no unit: the cleaner cannot read on
    clock.advance(BACKOFF_MS)
    for n in range(10):
        kafka.send("u", b"v" * 60, key=b"k%d" % (n % 2))
    clock.advance(2 * BACKOFF_MS)
    assert (len(kafka.records("u")) == 10) == dies
    kafka.stop(crash=True)


def configure_broker(kafka: FakeKafka, name: str, value: str) -> None:
    change = AlterableConfig(name=name, config_operation=0, value=value)
    resource = AlterConfigsResource(resource_type=4, resource_name="0", configs=[change])
    found = answer(kafka, IncrementalAlterConfigsRequest(resources=[resource]), 0, IncrementalAlterConfigsResponse)
    assert [response.error_code for response in found.responses] == [0]


@pytest.mark.parametrize(("release", "end"), [("2.3", 1), ("3.9", 6)])
def test_a_start_forgets_dynamic_configs_until_one_changes_but_not_in_kraft_mode(release: str, end: int) -> None:
    """Recorded: cleaner_configs. The map of offsets has room for one key, or for all."""
    one_key = {"log.cleaner.dedupe.buffer.size": "1048577", "log.cleaner.io.buffer.load.factor": "0.00003"}
    kafka = FakeKafka(release, config={"log.cleaner.enable": "true"} | one_key, clock=ManualClock()).boot()
    kafka.create_topic("t", config=SMALL)
    configure_broker(kafka, "log.cleaner.io.buffer.load.factor", "0.9")
    kafka.restart()
    fill(kafka, 6)
    (done,) = kafka.compact("t", roll=True)
    assert done.end == end
    configure_broker(kafka, "log.cleaner.backoff.ms", "20000")
    (done,) = kafka.compact("t")
    assert done.end == 6
    kafka.stop()


def test_in_kraft_mode_dynamic_configs_restart_the_cleaner_when_the_broker_starts() -> None:
    """Its first round finds nothing there, as high watermarks are not known yet."""
    kafka, clock = started("3.9", segment_ms="1000")
    for _ in range(6):
        kafka.send("t", b"v", key=b"k")
        clock.advance(1001)
    kafka.restart()
    assert len(keys(kafka)) == 6
    configure_broker(kafka, "log.cleaner.backoff.ms", "3600000")
    kafka.restart()
    assert len(keys(kafka)) < 6
    kafka.stop()
