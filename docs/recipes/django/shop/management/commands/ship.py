from confluent_kafka import Consumer
from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Ship what was ordered."

    def add_arguments(self, parser):
        parser.add_argument("--orders", type=int, help="stop after so many")

    def handle(self, *, orders, **options):
        consumer = Consumer(
            {
                "bootstrap.servers": settings.KAFKA,
                "group.id": "shipping",
                "auto.offset.reset": "earliest",
                "enable.auto.commit": False,
            }
        )
        consumer.subscribe(["orders"])
        shipped = 0
        while orders is None or shipped < orders:
            message = consumer.poll(1)
            if message is None or message.error():
                continue
            self.stdout.write(f"shipped {message.value().decode()}")
            consumer.commit(message=message, asynchronous=False)
            shipped += 1
        consumer.close()
