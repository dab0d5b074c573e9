import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.incremental_alter_configs import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResponse,
)

from tests.support.brokers import answer
from tests.support.clusters import cluster_of

NAME = "follower.replication.throttled.replicas"
TOPIC, APPEND = 2, 2
ZOOKEEPER = {"zookeeper.connect": "localhost:2181"}


@pytest.mark.parametrize(
    ("release", "config", "value"),
    [("2.3", {}, ",0:0"), ("3.3.1", ZOOKEEPER, ",0:0"), ("3.3.2", ZOOKEEPER, "0:0"), ("3.3.1", {}, "0:0")],
)
def test_up_to_3_3_1_an_empty_list_has_an_empty_element(release: str, config: dict[str, str], value: str) -> None:
    """Recorded from 3.3.1 to 3.3.2: patch_questions."""
    kafka = FakeKafka(release, config=config, topics={"t": 1}).boot()
    kafka.configure_topic("t", {NAME: ""})
    change = AlterableConfig(name=NAME, config_operation=APPEND, value="0:0")
    resource = AlterConfigsResource(resource_type=TOPIC, resource_name="t", configs=[change])
    asked = IncrementalAlterConfigsRequest(resources=[resource])
    (done,) = answer(kafka, asked, 0, IncrementalAlterConfigsResponse).responses
    assert (done.error_code, cluster_of(kafka).topics["t"].overrides) == (0, {NAME: value})
