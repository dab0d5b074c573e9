from confluent_kafka import Consumer, Producer


class Died(Exception):
    pass


def work(settings, count, dies_at=None):
    """Write a bill for each of the next `count` orders, one transaction each; in the middle of transaction `dies_at`,
    die.
    """
    consumer = Consumer(
        {**settings, "group.id": "billing", "auto.offset.reset": "earliest", "enable.auto.commit": False}
    )
    producer = Producer({**settings, "transactional.id": "billing-1"})
    producer.init_transactions(30)
    consumer.subscribe(["orders"])
    try:
        for n in range(count):
            order = consumer.consume(1, timeout=30)[0]
            producer.begin_transaction()
            producer.produce("bills", b"bill for " + order.value())
            producer.flush(30)
            if n == dies_at:
                raise Died
            positions = consumer.position(consumer.assignment())
            producer.send_offsets_to_transaction(positions, consumer.consumer_group_metadata(), 30)
            producer.commit_transaction(30)
    finally:
        consumer.close()
