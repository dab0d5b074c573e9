from faststream import AckPolicy
from faststream.kafka import KafkaBroker


def broker(servers):
    kafka = KafkaBroker(servers)

    @kafka.subscriber("orders", group_id="billing", auto_offset_reset="earliest", ack_policy=AckPolicy.NACK_ON_ERROR)
    @kafka.publisher("bills")
    async def bill(order: str) -> str:
        return f"bill for {order}"

    return kafka
