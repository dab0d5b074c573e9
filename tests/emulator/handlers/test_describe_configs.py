"""DescribeConfigs of several resources. Recorded from 1.1.1 to 4.3.1: odd_requests."""

import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.describe_configs import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
    DescribeConfigsResponse,
)

from tests.support.brokers import answer

GENERIC = (
    "This most likely occurs because of a request being malformed by the client library or the message was sent to an"
    " incompatible broker. See the broker logs for more details."
)


@pytest.mark.parametrize(
    ("release", "words", "kind"),
    [
        ("0.11.0", "Unexpected resource type UNKNOWN for resource x", 0),
        ("2.6", "Unexpected resource type UNKNOWN for resource x", 0),
        ("2.7", GENERIC, 127),
        ("4.3", GENERIC, 127),
    ],
)
def test_a_resource_of_an_unknown_type_fails_all_others(release: str, words: str, kind: int) -> None:
    asked = [
        DescribeConfigsResource(resource_type=number, resource_name=name, configuration_keys=None)
        for number, name in ((2, "t"), (127, "x"))
    ]
    version = 1 if release == "4.3" else 0
    kafka = FakeKafka(release, topics={"t": 1}).boot()
    found = answer(kafka, DescribeConfigsRequest(resources=asked), version, DescribeConfigsResponse).results
    assert [(r.resource_type, r.resource_name, r.error_code, r.error_message, list(r.configs)) for r in found] == [
        (2, "t", 42, words, []),
        (kind, "x", 42, words, []),
    ]
