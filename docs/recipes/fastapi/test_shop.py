import pytest
from aiokafka import AIOKafkaConsumer
from fastapi.testclient import TestClient
from httpx import ASGITransport, AsyncClient
from shop import app

pytestmark = pytest.mark.fake_kafka(release=["2.3", "4.0"], topics={"orders": 1})


@pytest.fixture
def address(fake_kafka, monkeypatch):
    monkeypatch.setenv("KAFKA", fake_kafka.bootstrap_servers)
    return fake_kafka.bootstrap_servers


def test_an_order_is_stored(fake_kafka, address):
    with TestClient(app) as client:
        assert client.post("/orders?thing=apples").json() == {"offset": 0}
    assert [record.value for record in fake_kafka.records("orders")] == [b"apples"]


async def test_an_order_reaches_a_consumer(address):
    async with (
        app.router.lifespan_context(app),
        AsyncClient(transport=ASGITransport(app), base_url="http://shop") as client,
    ):
        await client.post("/orders?thing=pears")
    consumer = AIOKafkaConsumer("orders", bootstrap_servers=address, auto_offset_reset="earliest")
    await consumer.start()
    try:
        assert (await consumer.getone()).value == b"pears"
    finally:
        await consumer.stop()
