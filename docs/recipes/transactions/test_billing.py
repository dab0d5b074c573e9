import pytest
from billing import Died, work
from confluent_kafka import Consumer


def bills(settings, isolation, count):
    reading = {"group.id": f"reader-{isolation}", "auto.offset.reset": "earliest", "isolation.level": isolation}
    consumer = Consumer({**settings, **reading})
    consumer.subscribe(["bills"])
    values = [message.value() for message in consumer.consume(count, timeout=20)]
    consumer.close()
    return values


@pytest.mark.fake_kafka(release=["0.11.0", "2.5", "4.0"], topics={"orders": 1, "bills": 1})
def test_each_order_gets_one_bill_although_a_worker_dies(fake_kafka):
    settings = fake_kafka.client_config("confluent-kafka")
    for thing in (b"apples", b"pears", b"plums"):
        fake_kafka.send("orders", thing)
    with pytest.raises(Died):
        work(settings, 3, dies_at=1)  # the first bill is committed, the second is written and left open
    work(settings, 2)
    every = [b"bill for apples", b"bill for pears", b"bill for plums"]
    assert bills(settings, "read_committed", 3) == every
    assert bills(settings, "read_uncommitted", 4).count(b"bill for pears") == 2
