"""Waiting in an event loop: `watching/coroutines.py`."""

import asyncio

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from fakekafka import FakeKafka, UsageError


async def _story(kafka: FakeKafka) -> None:
    async with AIOKafkaProducer(**kafka.client_config("aiokafka"), transactional_id="svc") as producer:
        waiting = asyncio.create_task(kafka.aio.wait_for_records("orders", 1, timeout=30))
        async with producer.transaction():
            await producer.send_and_wait("orders", b"1")
            assert (await kafka.aio.wait_for_transaction("svc", "Ongoing", timeout=30)).partitions == (("orders", 0),)
        assert [record.value for record in await waiting] == [b"1"]
        assert (await kafka.aio.wait_for_transaction("svc", timeout=30)).state == "CompleteCommit"
    settings = {**kafka.client_config("aiokafka"), "group_id": "shop", "auto_offset_reset": "earliest"}
    async with AIOKafkaConsumer("orders", **settings) as consumer:
        await consumer.getone()
        assert len((await kafka.aio.wait_for_group("shop", "Stable", timeout=30)).members) == 1
        await consumer.commit()
        assert (await kafka.aio.wait_for_commit("shop", "orders", 0, 1, timeout=30)).offset == 1
        (asked,) = await kafka.aio.wait_for_request("OffsetCommit", group="shop", answered=True, timeout=30)
        assert asked.error is None


def test_every_wait_is_a_coroutine_as_well() -> None:
    with FakeKafka("2.3", topics={"orders": 1}) as kafka:
        asyncio.run(_story(kafka))


def test_a_coroutine_that_waits_in_vain_says_what_there_is() -> None:
    with FakeKafka("2.3", topics={"orders": 1}) as kafka, pytest.raises(TimeoutError, match="orders has 0 of 1"):
        asyncio.run(kafka.aio.wait_for_records("orders", 1, timeout=0.01))


def test_a_coroutine_that_waits_for_the_impossible_is_refused() -> None:
    with FakeKafka("2.3", topics={"orders": 1}) as kafka, pytest.raises(UsageError, match="no partition 7"):
        asyncio.run(kafka.aio.wait_for_records("orders", 1, partition=7))


def test_a_broker_without_sockets_is_checked_once() -> None:
    kafka = FakeKafka("2.3", topics={"orders": 1}).boot()
    with pytest.raises(TimeoutError):
        asyncio.run(kafka.aio.wait_for_records("orders", 1, timeout=60))
    kafka.send("orders", b"1")
    assert len(asyncio.run(kafka.aio.wait_for_records("orders", 1))) == 1


def test_a_cancelled_wait_leaves_nothing_behind() -> None:
    async def story(kafka: FakeKafka) -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await kafka.aio.wait_for_records("orders", 1, timeout=60)

    with FakeKafka("2.3", topics={"orders": 1}) as kafka:
        asyncio.run(story(kafka))
        kafka.send("orders", b"1")  # this asks the watchers, whose event loop is closed
        assert kafka.failures == ()
