"""A cluster in another process, commanded like one in this process: `RemoteKafka`, with the methods of `FakeKafka`.

    fakekafka serve --control 127.0.0.1:9099

    kafka = RemoteKafka("http://127.0.0.1:9099")
    kafka.create_topic("orders", 3)

It speaks to the control API (`fakekafka.control`); each method is a line that names the operation.
"""

from fakekafka.remote.kafka import RemoteKafka

__all__ = ["RemoteKafka"]
