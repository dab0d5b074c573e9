"""Altering several resources. Recorded from 1.1.1 to 4.3.1: odd_requests."""

import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.alter_configs import (
    AlterableConfig,
    AlterConfigsRequest,
    AlterConfigsResource,
    AlterConfigsResponse,
)

from tests.support.brokers import answer
from tests.support.seeded import broker_of


@pytest.mark.parametrize(
    ("release", "errors"), [("0.11.0", [42, 42]), ("3.1", [42, 42]), ("3.2", [0, 42]), ("4.3", [0, 42])]
)
def test_a_resource_of_an_unknown_type_fails_the_others_up_to_3_1(release: str, errors: list[int]) -> None:
    kafka = FakeKafka(release, topics={"t": 1}).boot()
    configs = [AlterableConfig(name="segment.bytes", value="2000000")]
    resources = [
        AlterConfigsResource(resource_type=kind, resource_name=name, configs=configs)
        for kind, name in ((2, "t"), (127, "x"))
    ]
    found = answer(kafka, AlterConfigsRequest(resources=resources), 0, AlterConfigsResponse).responses
    assert [r.error_code for r in found] == errors
    changed = broker_of(kafka).cluster.topics["t"].overrides
    assert dict(changed) == ({} if errors[0] else {"segment.bytes": "2000000"})
