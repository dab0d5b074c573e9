"""Mirrors between clusters with plug-ins: by clients that have the plug-in, and by copying batches as they are.

An id has a meaning only within its cluster. The document does not mention mirrors; this is what follows from it.
"""

import fakekafka.plugins.kafka_python
import pytest
from fakekafka import ErrorCode, FakeKafka, ManualClock
from kafka import KafkaConsumer, KafkaProducer

from tests.support import fetching
from tests.support.plugins import LZMA, SNAPPY, plugged, rows, with_plugins
from tests.support.producing import one
from tests.support.seeded import NOW


def copied_into(target: FakeKafka) -> int:
    """The error with which a cluster takes a batch of snappyPlugin, which has the id 1 where it comes from."""
    source = with_plugins()
    assert one(source, plugged(), 3).error_code == ErrorCode.NONE
    data = fetching.data_of(fetching.only(fetching.fetch(source, ("t", 0, 0), version=12)))
    return one(target, bytearray(data), 3).error_code


@pytest.mark.statement("S3-24")
def test_a_mirror_that_copies_batches_needs_the_same_ids_in_both_clusters() -> None:
    same = with_plugins("3.9", SNAPPY, LZMA)
    assert copied_into(same) == ErrorCode.NONE
    assert [record.value for record in same.records("t")] == [row.value for row in rows()]
    for other in (
        with_plugins("3.9", LZMA, SNAPPY),  # in that cluster, 1 is another plug-in, which cannot read the batch
        with_plugins("3.9", "elsewhere"),  # in that cluster, it is a plug-in that is not installed
        FakeKafka("3.9", clock=ManualClock(NOW), topics={"t": 1}).boot(),
    ):
        assert copied_into(other) == ErrorCode.UNKNOWN_SERVER_ERROR
        assert other.records("t") == []


@pytest.mark.statement("S3-8", "S3-27")
def test_a_mirror_of_clients_goes_by_the_alias_whatever_the_ids_are() -> None:
    with (
        FakeKafka("3.9", drafts=["KIP-984"], topics={"t": 1}) as source,
        FakeKafka("3.9", drafts=["KIP-984:position=11"], topics={"t": 1}) as target,
    ):
        source.plugins.register(SNAPPY)
        for alias in (LZMA, SNAPPY):
            target.plugins.register(alias)
        with fakekafka.plugins.kafka_python.install(source.bootstrap_servers):
            producer = KafkaProducer(bootstrap_servers=source.bootstrap_servers, compression_type=SNAPPY)
            producer.send("t", b"value " * 20)
            producer.close()
            consumer = KafkaConsumer("t", bootstrap_servers=source.bootstrap_servers, auto_offset_reset="earliest")
            read = next(consumer).value
            consumer.close()
        with fakekafka.plugins.kafka_python.install(target.bootstrap_servers, position=11):
            producer = KafkaProducer(bootstrap_servers=target.bootstrap_servers, compression_type=SNAPPY)
            producer.send("t", read)
            producer.close()
        assert [(record.value, record.codec) for record in target.records("t")] == [(b"value " * 20, SNAPPY)]
        assert target.plugins.registered()["java"][SNAPPY].plugin_id == 2
