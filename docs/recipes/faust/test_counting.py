from contextlib import asynccontextmanager

import pytest
from counting import application

pytestmark = pytest.mark.fake_kafka(release="3.9", topics={"orders": 1})


@asynccontextmanager
async def running(fake_kafka, datadir):
    app = application(fake_kafka.bootstrap_servers, datadir)
    app.finalize()
    async with app:
        await fake_kafka.aio.wait_for_group("counting", state="Stable", members=1, timeout=30)
        yield app


async def test_orders_are_counted_across_restarts(fake_kafka, tmp_path):
    async with running(fake_kafka, tmp_path / "one"):
        fake_kafka.send("orders", b"apples")
        fake_kafka.send("orders", b"apples")
        await fake_kafka.aio.wait_for_records("counting-counts-changelog", 2, timeout=30)
    async with running(fake_kafka, tmp_path / "two"):
        fake_kafka.send("orders", b"apples")
        changes = await fake_kafka.aio.wait_for_records("counting-counts-changelog", 3, timeout=30)
    assert [change.value for change in changes] == [b"1", b"2", b"3"]
