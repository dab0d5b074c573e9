"""The configs of the topic without a name, which no release lets be altered. Asked of 3.2.3 and 3.9.1."""

import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.incremental_alter_configs import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResponse,
)

from tests.support.brokers import answer

ZOOKEEPER = {"zookeeper.connect": "localhost:2181"}
KRAFT = {"process.roles": "broker,controller"}
SET, APPEND = 0, 2
REFUSED = (42, "Default topic resources are not allowed.")


@pytest.mark.parametrize(
    ("release", "keeper", "on_set", "on_append"),
    [
        ("3.9.1", ZOOKEEPER, REFUSED, REFUSED),
        ("3.9.1", KRAFT, REFUSED, (40, "Can't APPEND to key no.such because its type is not LIST.")),
        (
            "3.2.3",
            ZOOKEEPER,
            (42, "{}Path must not end with / character"),
            (42, "{}Path must not end with / character"),
        ),
    ],
)
def test_controllers_notice_last_that_a_topic_has_no_name_and_zookeeper_notices_first(
    release: str, keeper: dict[str, str], on_set: tuple[int, str], on_append: tuple[int, str]
) -> None:
    kafka = FakeKafka(release, config=keeper).boot()
    prefix = "Invalid config value for resource ConfigResource(type=TOPIC, name=''): "
    for operation, (code, words) in ((SET, on_set), (APPEND, on_append)):
        configs = [AlterableConfig(name="no.such", config_operation=operation, value="1")]
        resource = AlterConfigsResource(resource_type=2, resource_name="", configs=configs)
        request = IncrementalAlterConfigsRequest(resources=[resource])
        (found,) = answer(kafka, request, 0, IncrementalAlterConfigsResponse).responses
        assert (found.error_code, found.error_message) == (code, words.format(prefix))
