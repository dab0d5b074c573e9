from io import StringIO

import pytest
from django.core.management import call_command

pytestmark = pytest.mark.fake_kafka(topics={"orders": 1})


@pytest.fixture(autouse=True)
def address(fake_kafka, settings):
    settings.KAFKA = fake_kafka.bootstrap_servers


def test_an_order_is_stored(client, fake_kafka):
    assert client.post("/orders", {"thing": "apples"}).json() == {"ordered": "apples"}
    assert [record.value for record in fake_kafka.records("orders")] == [b"apples"]


def test_an_order_that_is_not_stored_is_not_confirmed(client, fake_kafka):
    fake_kafka.faults.fail("Produce", "TOPIC_AUTHORIZATION_FAILED", topic="orders")
    assert client.post("/orders", {"thing": "apples"}).status_code == 503


def test_shipping_commits_what_it_shipped(fake_kafka):
    fake_kafka.send("orders", b"apples")
    fake_kafka.send("orders", b"pears")
    out = StringIO()
    call_command("ship", orders=2, stdout=out)
    assert out.getvalue().split("\n") == ["shipped apples", "shipped pears", ""]
    assert fake_kafka.wait_for_commit("shipping", "orders", partition=0, offset=2)
