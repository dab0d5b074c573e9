import unittest

from fakekafka import FakeKafka
from kafka import KafkaConsumer, KafkaProducer


class ShopTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kafka = cls.enterClassContext(FakeKafka("3.9"))
        cls.settings = cls.kafka.client_config("kafka-python")

    def setUp(self):
        self.kafka.reset()
        self.kafka.create_topic("orders", 1)

    def test_an_order_is_stored(self):
        with KafkaProducer(**self.settings) as producer:
            producer.send("orders", b"two apples").get(timeout=10)
        self.assertEqual([record.value for record in self.kafka.records("orders")], [b"two apples"])

    def test_an_order_is_read(self):
        self.kafka.send("orders", b"two pears")
        with KafkaConsumer("orders", auto_offset_reset="earliest", **self.settings) as consumer:
            self.assertEqual(next(consumer).value, b"two pears")
