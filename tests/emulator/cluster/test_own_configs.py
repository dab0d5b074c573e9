"""KAFKA-9254. Recorded from 1.1.1 to 2.4.1: override_questions."""

import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.alter_configs import (
    AlterableConfig,
    AlterConfigsRequest,
    AlterConfigsResource,
    AlterConfigsResponse,
)

from tests.support.brokers import answer
from tests.support.seeded import partition_of

OWN, DEFAULT = 500, -1
TOPIC, BROKER = 2, 4


def changed(kafka: FakeKafka, kind: int, resource: str, **configs: str) -> None:
    """Alter the configs of a resource; names with underscores for dots."""
    rows = [AlterableConfig(name=name.replace("_", "."), value=value) for name, value in configs.items()]
    asked = AlterConfigsRequest(
        resources=[AlterConfigsResource(resource_type=kind, resource_name=resource, configs=rows)]
    )
    (done,) = answer(kafka, asked, 0, AlterConfigsResponse).responses
    assert done.error_code == 0


def retained(kafka: FakeKafka) -> int | None:
    """How many bytes the log of "t" keeps."""
    return partition_of(kafka).log.config.retention_bytes


@pytest.mark.parametrize(("release", "forgets"), [("1.1.0", True), ("2.4.0", True), ("2.4.1", False)])
def test_the_second_change_of_the_defaults_replaces_a_topics_own_configs(release: str, forgets: bool) -> None:
    kafka = FakeKafka(release, topics={"t": 1}).boot()
    changed(kafka, TOPIC, "t", retention_bytes=str(OWN))
    changed(kafka, BROKER, "", log_retention_ms="5000")
    assert retained(kafka) == OWN
    changed(kafka, BROKER, "", log_retention_ms="5000", log_cleaner_threads="2")  # nothing that topics have
    assert retained(kafka) == OWN
    changed(kafka, BROKER, "", log_retention_ms="6000")
    assert retained(kafka) == (DEFAULT if forgets else OWN)
    changed(kafka, TOPIC, "t", retention_bytes=str(OWN))
    assert retained(kafka) == OWN


def test_a_start_brings_a_topics_own_configs_back() -> None:
    kafka = FakeKafka("2.4.0", topics={"t": 1}).boot()
    changed(kafka, TOPIC, "t", retention_bytes=str(OWN))
    for value in ("5000", "6000"):
        changed(kafka, BROKER, "", log_retention_ms=value)
    assert retained(kafka) == DEFAULT
    kafka.restart()
    assert retained(kafka) == OWN


def test_a_topic_that_is_made_between_two_changes_keeps_its_configs() -> None:
    kafka = FakeKafka("2.4.0").boot()
    changed(kafka, BROKER, "", log_retention_ms="5000")
    kafka.create_topic("t", config={"retention.bytes": str(OWN)})
    changed(kafka, BROKER, "", log_retention_ms="6000")
    assert retained(kafka) == OWN
