import threading

import orders
import pytest
from confluent_kafka.schema_registry import Schema, SchemaRegistryClient
from confluent_kafka.schema_registry.error import SchemaRegistryError
from registry import Registry

pytestmark = pytest.mark.fake_kafka(topics={"orders": 1})


@pytest.fixture
def registry():
    with Registry() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(params=["mock", "http"])
def clients(request, registry):
    """The producer's client of the registry, and the consumer's; a registry in memory belongs to one client."""
    if request.param == "mock":
        return [SchemaRegistryClient.new_client({"url": "mock://shop"})] * 2
    return [SchemaRegistryClient({"url": registry.url}), SchemaRegistryClient({"url": registry.url})]


def test_an_order_is_read_as_it_was_written(fake_kafka, clients):
    producers, consumers = clients
    orders.order(fake_kafka.bootstrap_servers, producers, "apples", 3)
    assert orders.next_order(fake_kafka.bootstrap_servers, consumers) == {"thing": "apples", "count": 3}
    [record] = fake_kafka.records("orders")
    assert record.value == b"\0" + (1).to_bytes(4, "big") + b"\x0capples" + b"\x06"


def test_a_field_without_a_default_is_refused(registry):
    client = SchemaRegistryClient({"url": registry.url})
    client.register_schema("orders-value", Schema(orders.SCHEMA, "AVRO"))
    worse = orders.SCHEMA.replace('"default": 1', '"doc": "how many"').replace("count", "amount")
    with pytest.raises(SchemaRegistryError, match="amount is new and has no default"):
        client.register_schema("orders-value", Schema(worse, "AVRO"))
