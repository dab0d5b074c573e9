import pytest
from counting import application

pytestmark = pytest.mark.fake_kafka(release=["2.8", "4.0"], topics={"orders": 1, "counts": 1})


def test_orders_are_counted_by_key(fake_kafka, tmp_path):
    for customer in (b"ann", b"bob", b"ann"):
        fake_kafka.send("orders", b"apples", key=customer)
    application(fake_kafka.bootstrap_servers, tmp_path).run(count=3, timeout=60)
    counts = [(record.key, int.from_bytes(record.value, "big")) for record in fake_kafka.records("counts")]
    assert counts == [(b"ann", 1), (b"bob", 1), (b"ann", 2)]
    assert fake_kafka.committed("counting")["orders", 0].offset == 3
