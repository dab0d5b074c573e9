"""Quotas of clients, in the order of the release's maps."""

import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.alter_client_quotas import (
    AlterClientQuotasRequest,
    AlterClientQuotasResponse,
    EntityData,
    EntryData,
    OpData,
)
from fakekafka.wire.apis.describe_client_quotas import DescribeClientQuotasRequest, DescribeClientQuotasResponse

from tests.support.brokers import answer

PRODUCED, CONSUMED, TIME = "producer_byte_rate", "consumer_byte_rate", "request_percentage"


def altered(*parts: tuple[str, str | None], **quotas: float) -> EntryData:
    entity = [EntityData(entity_type=kind, entity_name=name) for kind, name in parts]
    return EntryData(entity=entity, ops=[OpData(key=key, value=value) for key, value in quotas.items()])


@pytest.mark.parametrize(
    ("release", "values", "entities"),
    [
        ("2.7", [TIME, PRODUCED, CONSUMED], ["u1", None, "u1 c1"]),
        ("4.3", [CONSUMED, TIME, PRODUCED], ["u1", "c1 u1", None]),
    ],
)
def test_entities_and_their_quotas_come_out_of_maps(
    release: str, values: list[str], entities: list[str | None]
) -> None:
    """Recorded from 2.7.2 to 4.3.1: quotas."""
    kafka = FakeKafka(release).boot()
    entries = [
        altered(("user", "u1"), producer_byte_rate=1000, consumer_byte_rate=2000, request_percentage=50),
        altered(("user", "u1"), ("client-id", "c1"), producer_byte_rate=1000),
        altered(("client-id", None), producer_byte_rate=1000),
    ]
    answer(kafka, AlterClientQuotasRequest(entries=entries), 0, AlterClientQuotasResponse)
    found = answer(kafka, DescribeClientQuotasRequest(components=[]), 0, DescribeClientQuotasResponse).entries or []
    names = [[part.entity_name for part in entry.entity] for entry in found]
    assert [None if each == [None] else " ".join(map(str, each)) for each in names] == entities
    assert [value.key for value in found[0].values] == values
