"""Replicas that left the set in sync lead while nobody is in it: eligible leader replicas (KIP-966)."""

from typing import Final

from fakekafka.wire.apis.api_versions import ApiVersionsRequest
from fakekafka.wire.apis.describe_configs import DescribeConfigsRequest, DescribeConfigsResource
from fakekafka.wire.apis.incremental_alter_configs import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from fakekafka.wire.apis.produce import ProduceRequest
from fakekafka.wire.apis.update_features import FeatureUpdateKey, UpdateFeaturesRequest

from tests.real_trios.moves import elect
from tests.real_trios.recorder import Recorder
from tests.real_trios.requests import PRODUCE, TOPIC, batch, create, epochs, fetch, led, produce, produced

FEATURE: Final = "eligible.leader.replicas.version"
THREE, ONE, UNCLEAN = "three", "one", "u"
"""Topics: with three replicas, with one, and with unclean elections."""
LEAST: Final = "min.insync.replicas"
OF_TOPIC, OF_BROKER = 2, 4
UPGRADE, SAFE_DOWNGRADE = 1, 2


def eligible(recorder: Recorder) -> None:
    """Brokers stop cleanly until nobody is in sync. Another one than the last leader returns first, and leads."""
    create(recorder, [[1, 2]], min_insync_replicas="2")
    create(recorder, [[2, 1, 0]], THREE, min_insync_replicas="2")
    create(recorder, [[1]], ONE, min_insync_replicas="2")
    produce(recorder, 1, b"a")
    produce(recorder, 2, b"b", name=THREE)
    recorder.stop(2)
    led(recorder, 1, [1])
    led(recorder, 1, [1, 0], name=THREE)
    produce(recorder, 1, b"refused")
    produce(recorder, 1, b"lost", acks=1)
    fetch(recorder, 1)
    fetch(recorder, 1, 2)
    recorder.stop(1)
    led(recorder, -1, [])
    led(recorder, 0, [0], name=THREE)
    led(recorder, -1, [], name=ONE)
    for kind in (0, 1):
        elect(recorder, kind, (0,))
        elect(recorder, kind, (0,), ONE)
    fetch(recorder, 0)
    recorder.start(2)
    led(recorder, 2, [2])
    led(recorder, 0, [0, 2], name=THREE)
    produce(recorder, 2, b"refused")
    produce(recorder, 2, b"c", acks=1)
    fetch(recorder, 2)
    epochs(recorder, 2, 0, 1, 2, 3, 4)
    elect(recorder, 0, (0,))
    recorder.start(1)
    led(recorder, 2, [2, 1])
    led(recorder, 0, [0, 1, 2], name=THREE)
    led(recorder, 1, [1], name=ONE)
    fetch(recorder, 2)
    produce(recorder, 2, b"d")
    recorder.keep("all back")
    epochs(recorder, 2, 0, 1, 2, 3, 4, 5)


def died(recorder: Recorder) -> None:
    """Brokers that died are no longer eligible when they return. The last leader is, if nobody else is left."""
    create(recorder, [[1, 2], [2, 1]], min_insync_replicas="2")
    create(recorder, [[1, 2]], UNCLEAN, min_insync_replicas="2", unclean_leader_election_enable="true")
    produce(recorder, 1, b"a")
    recorder.kill(1)
    led(recorder, 2, [2])
    produce(recorder, 2, b"b", acks=1)
    recorder.start(1)
    led(recorder, 2, [1, 2])
    recorder.kill(1)
    led(recorder, 2, [2])
    produce(recorder, 2, b"c", acks=1)
    recorder.kill(2)
    led(recorder, -1, [])
    led(recorder, -1, [], name=UNCLEAN)
    recorder.start(1)
    led(recorder, -1, [])
    led(recorder, 1, [1], name=UNCLEAN)
    for kind in (0, 1):
        elect(recorder, kind, (0,))
    led(recorder, 1, [1])
    produce(recorder, 1, b"d", acks=1)
    recorder.start(2)
    led(recorder, 1, [1, 2])
    led(recorder, 2, [1, 2], index=1)
    led(recorder, 1, [1, 2], name=UNCLEAN)
    fetch(recorder, 1)
    epochs(recorder, 1, *range(9))
    epochs(recorder, 2, *range(9), index=1)


def lagging(recorder: Recorder) -> None:
    """A replica that was dropped as it lagged leads when the leader dies: what was never committed is lost."""
    create(recorder, [[1, 2]], min_insync_replicas="2")
    produce(recorder, 1, b"a")
    recorder.pause(2)
    recorder.brokers.settle()  # until then, the leader answers the fetch that came before the pause
    recorder.ask(1, produced(batch(recorder, [b"lost"]), 1), recorder.version(ProduceRequest, PRODUCE))
    led(recorder, 1, [1])
    fetch(recorder, 1)
    recorder.kill(1)
    recorder.resume(2)
    led(recorder, 2, [2])
    fetch(recorder, 2)
    produce(recorder, 2, b"refused")
    produce(recorder, 2, b"b", b"c", acks=1)
    fetch(recorder, 2)
    recorder.start(1)
    led(recorder, 2, [1, 2])
    fetch(recorder, 2)
    produce(recorder, 2, b"d")
    recorder.keep("all back")
    epochs(recorder, 2, 0, 1, 2, 3)
    _alter(recorder, OF_TOPIC, TOPIC, "1")
    recorder.stop(1)
    led(recorder, 2, [2])
    produce(recorder, 2, b"e")
    fetch(recorder, 2, 3)
    _alter(recorder, OF_TOPIC, TOPIC, "2")
    led(recorder, 2, [2])
    produce(recorder, 2, b"refused")
    produce(recorder, 2, b"f", acks=1)
    fetch(recorder, 2, 3)
    recorder.stop(2)
    led(recorder, -1, [])
    recorder.start(1)
    led(recorder, -1, [])
    recorder.start(2)
    led(recorder, 2, [1, 2])
    fetch(recorder, 2, 3)


def features(recorder: Recorder) -> None:
    """The feature is switched off and on, and min.insync.replicas changes in all places."""
    _finalized(recorder)
    _described(recorder)
    for level, kind in ((0, UPGRADE), (0, SAFE_DOWNGRADE), (1, SAFE_DOWNGRADE), (1, UPGRADE), (2, UPGRADE)):
        _finalize(recorder, level, kind)
    _described(recorder)
    create(recorder, [[1, 2]])
    create(recorder, [[1, 2, 0]], THREE)
    _minimum_changes(recorder)
    _is_switched_off(recorder)
    _is_switched_on_again(recorder)
    _described(recorder)


def enabled(recorder: Recorder) -> None:
    """The feature is switched on in a cluster that did not begin with it."""
    _alter(recorder, OF_BROKER, "0", "2")
    _described(recorder)
    create(recorder, [[1, 2]])
    recorder.stop(2)
    led(recorder, 1, [1])
    _finalize(recorder, 1, UPGRADE)
    _finalized(recorder)
    _described(recorder)
    led(recorder, 1, [1])
    recorder.stop(1)
    led(recorder, -1, None)
    recorder.start(2)
    led(recorder, -1, None)
    recorder.start(1)
    led(recorder, 1, [1, 2])


def _minimum_changes(recorder: Recorder) -> None:
    for name, value in (("0", "2"), ("", None), ("0", None), ("", "3")):
        _alter(recorder, OF_BROKER, name, value)
    recorder.stop(2)
    led(recorder, 1, [1, 0], name=THREE)
    for value in ("2", "3"):
        _alter(recorder, OF_BROKER, "", value)
        led(recorder, 1, [1, 0], name=THREE)
    recorder.stop(1)
    led(recorder, 0, [0], name=THREE)
    led(recorder, -1, [])
    for at_least in ("3", "2", "3"):
        _alter(recorder, OF_TOPIC, TOPIC, at_least)
        led(recorder, -1, [])
    recorder.start(2)
    led(recorder, 0, [0, 2], name=THREE)
    led(recorder, -1, [])
    elect(recorder, 1, (0,))
    led(recorder, 2, [2])
    recorder.start(1)
    led(recorder, 0, [0, 1, 2], name=THREE)
    led(recorder, 2, [1, 2])
    recorder.stop(1)
    led(recorder, 2, [2])
    recorder.stop(2)
    led(recorder, -1, [])
    led(recorder, 0, [0], name=THREE)


def _is_switched_off(recorder: Recorder) -> None:
    _finalize(recorder, 0, SAFE_DOWNGRADE)
    _finalized(recorder)
    led(recorder, -1, None)
    led(recorder, 0, None, name=THREE)
    recorder.start(1)
    led(recorder, 0, [0, 1], name=THREE)
    led(recorder, None, None)
    elect(recorder, 1, (0,))
    led(recorder, None, None)
    recorder.start(2)
    led(recorder, 0, [0, 1, 2], name=THREE)
    led(recorder, None, [1, 2])


def _is_switched_on_again(recorder: Recorder) -> None:
    recorder.stop(2)
    recorder.stop(1)
    led(recorder, -1, None)
    _finalize(recorder, 1, UPGRADE)
    led(recorder, -1, None)
    recorder.start(1)
    led(recorder, 1, None)


def _finalized(recorder: Recorder) -> None:
    recorder.ask(0, ApiVersionsRequest(client_software_name="trios", client_software_version="1"), 4)


def _finalize(recorder: Recorder, level: int, kind: int) -> None:
    update = FeatureUpdateKey(feature=FEATURE, max_version_level=level, upgrade_type=kind)
    recorder.ask(0, UpdateFeaturesRequest(feature_updates=[update]), recorder.version(UpdateFeaturesRequest, 2))
    recorder.brokers.settle()


def _alter(recorder: Recorder, kind: int, name: str, value: str | None) -> None:
    change = AlterableConfig(name=LEAST, config_operation=int(value is None), value=value)
    resource = AlterConfigsResource(resource_type=kind, resource_name=name, configs=[change])
    recorder.ask(0, IncrementalAlterConfigsRequest(resources=[resource]), 1)
    recorder.brokers.settle()


def _described(recorder: Recorder) -> None:
    """What all brokers are configured with, and one of them."""
    for name in ("", "0"):
        resource = DescribeConfigsResource(resource_type=OF_BROKER, resource_name=name, configuration_keys=[LEAST])
        recorder.ask(0, DescribeConfigsRequest(resources=[resource], include_synonyms=True), 4)
