from confluent_kafka import Consumer, Producer
from confluent_kafka.schema_registry.avro import AvroDeserializer, AvroSerializer
from confluent_kafka.serialization import MessageField, SerializationContext

SCHEMA = """{"type": "record", "name": "Order", "fields": [
    {"name": "thing", "type": "string"}, {"name": "count", "type": "int", "default": 1}]}"""
CONTEXT = SerializationContext("orders", MessageField.VALUE)


def order(servers, registry, thing, count):
    serializer = AvroSerializer(registry, SCHEMA)
    producer = Producer({"bootstrap.servers": servers})
    producer.produce("orders", serializer({"thing": thing, "count": count}, CONTEXT))
    producer.flush(10)


def next_order(servers, registry):
    deserializer = AvroDeserializer(registry)
    consumer = Consumer({"bootstrap.servers": servers, "group.id": "shipping", "auto.offset.reset": "earliest"})
    consumer.subscribe(["orders"])
    [message] = consumer.consume(1, timeout=20)
    consumer.close()
    return deserializer(message.value(), CONTEXT)
