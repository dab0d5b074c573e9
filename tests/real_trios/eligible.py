"""Replicas that were in sync may lead again (KIP-966): whom DescribeTopicPartitions names, and who leads in the end.

Partition 0 has two replicas and wants both in sync; partition 1 has a third, which is never stopped.
"""

from typing import Final

from fakekafka.wire.apis.elect_leaders import ElectLeadersRequest, TopicPartitions
from fakekafka.wire.apis.incremental_alter_configs import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from fakekafka.wire.apis.update_features import FeatureUpdateKey, UpdateFeaturesRequest

from tests.real_trios.recorder import Recorder
from tests.real_trios.requests import TOPIC, create, described, epochs, fetch, led, produce

FEATURE: Final = "eligible.leader.replicas.version"
TOPIC_KIND: Final = 2
SAFE_DOWNGRADE: Final = 2


def eligible(recorder: Recorder) -> None:
    """Replicas leave one after the other, cleanly and not; eligible ones lead, also while the last leader is away."""
    create(recorder, [[1, 2], [0, 1, 2]], min_insync_replicas="2")
    produce(recorder, 1, b"a")
    recorder.stop(2)
    led(recorder, 1, [1])
    produce(recorder, 1, b"refused")
    produce(recorder, 1, b"lost", acks=1)
    fetch(recorder, 1)
    recorder.stop(1)
    led(recorder, -1, [])
    recorder.start(2)
    led(recorder, 2, [2])
    produce(recorder, 2, b"b", acks=1)
    fetch(recorder, 2)
    recorder.start(1)
    led(recorder, 2, [2, 1])
    produce(recorder, 2, b"c")
    recorder.keep("cut")
    epochs(recorder, 2, 0, 1, 2, 3)
    _killed(recorder)
    _configured(recorder)


def _killed(recorder: Recorder) -> None:
    """A broker that did not stop cleanly is no longer eligible, unless it was the last to lead."""
    recorder.kill(1)
    led(recorder, 2, [2])
    recorder.kill(2)
    led(recorder, -1, [])
    recorder.start(1)
    led(recorder, -1, [])
    recorder.start(2)
    led(recorder, 2, [1, 2])
    produce(recorder, 2, b"d")
    epochs(recorder, 2, 2, 3, 4, 5)
    recorder.stop(1)
    led(recorder, 2, [2])
    recorder.kill(2)
    led(recorder, -1, [])
    recorder.start(2)
    led(recorder, -1, [])
    recorder.start(1)
    led(recorder, 1, [1, 2])
    produce(recorder, 1, b"e")
    fetch(recorder, 1)


def _configured(recorder: Recorder) -> None:
    """A smaller min.insync.replicas makes nobody eligible, an unclean election neither; and the feature ends."""
    recorder.stop(2)
    led(recorder, 1, [1])
    _wants_in_sync(recorder, "1")
    described(recorder, TOPIC)
    _wants_in_sync(recorder, "2")
    described(recorder, TOPIC)
    recorder.start(2)
    led(recorder, 1, [1, 2])
    recorder.stop(2)
    led(recorder, 1, [1])
    recorder.kill(1)
    led(recorder, -1, [])
    _elect_uncleanly(recorder)
    _finalize(recorder, 0)
    led(recorder, -1, [])
    recorder.start(2)
    led(recorder, -1, [])
    _elect_uncleanly(recorder)
    led(recorder, 2, [2])
    recorder.start(1)
    led(recorder, 2, [1, 2])
    recorder.stop(1)
    led(recorder, 2, [2])
    _finalize(recorder, 1)
    recorder.start(1)
    led(recorder, 2, [1, 2])
    epochs(recorder, 2, 6, 7, 8, 9)


def _wants_in_sync(recorder: Recorder, replicas: str) -> None:
    config = AlterableConfig(name="min.insync.replicas", config_operation=0, value=replicas)
    resource = AlterConfigsResource(resource_type=TOPIC_KIND, resource_name=TOPIC, configs=[config])
    recorder.ask(0, IncrementalAlterConfigsRequest(resources=[resource]), 1)


def _elect_uncleanly(recorder: Recorder) -> None:
    wanted = [TopicPartitions(topic=TOPIC, partitions=[0])]
    recorder.ask(0, ElectLeadersRequest(election_type=1, topic_partitions=wanted, timeout_ms=10_000), 2)


def _finalize(recorder: Recorder, level: int) -> None:
    kind = 1 if level else SAFE_DOWNGRADE
    update = FeatureUpdateKey(feature=FEATURE, max_version_level=level, upgrade_type=kind)
    recorder.ask(0, UpdateFeaturesRequest(feature_updates=[update]), 2)
