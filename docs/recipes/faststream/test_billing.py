import pytest
from billing import broker

pytestmark = pytest.mark.fake_kafka(release=["2.3", "4.0"], topics={"orders": 1, "bills": 1})


async def test_each_order_gets_a_bill(fake_kafka):
    async with broker(fake_kafka.bootstrap_servers) as kafka:
        await kafka.start()
        await kafka.publish("apples", "orders")
        bills = await fake_kafka.aio.wait_for_records("bills", 1)
        await fake_kafka.aio.wait_for_commit("billing", "orders", partition=0, offset=1)
    assert [bill.value for bill in bills] == [b"bill for apples"]


async def test_an_order_that_came_before_the_application_started_gets_a_bill(fake_kafka):
    fake_kafka.send("orders", b"pears")
    async with broker(fake_kafka.bootstrap_servers) as kafka:
        await kafka.start()
        bills = await fake_kafka.aio.wait_for_records("bills", 1)
    assert [bill.value for bill in bills] == [b"bill for pears"]
