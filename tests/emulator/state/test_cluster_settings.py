"""What a cluster has agreed upon while it runs."""

from fakekafka import FakeKafka
from fakekafka.state.cluster_settings import FeatureNode

from tests.support.seeded import broker_of

PROTOCOL = "inter.broker.protocol.version"


def test_a_feature_node_is_written_again_only_if_it_changes() -> None:
    node = FeatureNode(is_enabled=True, is_newer_form=False, version=4)
    assert node.rewritten(True, False).version == 4
    assert node.rewritten(False, False) == FeatureNode(False, False, 5)
    assert node.rewritten(True, True) == FeatureNode(True, True, 5)


def test_features_that_are_switched_off_and_on_have_another_epoch() -> None:
    """Recorded from 2.8.2, 3.0.2 and 3.1.2: random_walks."""
    kafka = FakeKafka("2.8.2").boot()
    for release, protocol in (("3.0.2", "2.1"), ("3.1.2", "3.1"), ("3.6.2", "3.0")):
        kafka.stop()
        kafka.restart(release=release, config={PROTOCOL: protocol})
    assert broker_of(kafka).cluster.settings.feature_node == FeatureNode(True, False, version=2)
