"""Records are deleted while a follower stands still, and while it is dead (KIP-107)."""

from typing import Final

from fakekafka.ids import Offset
from fakekafka.wire.apis.delete_records import DeleteRecordsPartition, DeleteRecordsRequest, DeleteRecordsTopic
from fakekafka.wire.apis.list_offsets import ListOffsetsPartition, ListOffsetsRequest, ListOffsetsTopic

from tests.real_trios.recorder import Recorder
from tests.real_trios.requests import TOPIC, create, fetch, led, produce

TWO: Final = "two"
"""A topic without a replica on broker 2."""
EARLIEST: Final = -2
SOON_MS: Final = 1_500


def deleted(recorder: Recorder) -> None:
    """The answer waits for every follower that is alive, in sync or not, and gives up in the end."""
    create(recorder, [[0, 1, 2]])
    create(recorder, [[0, 1]], TWO)
    for name in (TOPIC, TWO):
        produce(recorder, 0, b"a", b"b", b"c", name=name)
    _delete(recorder, 1)
    produce(recorder, 0, b"d", b"e")
    recorder.pause(2)
    produce(recorder, 0, b"f", acks=1)
    led(recorder, 0, [0, 1])
    _delete(recorder, 2)
    _earliest(recorder)
    fetch(recorder, 0, 1)
    recorder.resume(2)
    led(recorder, 0, [0, 1, 2])
    recorder.brokers.settle()
    _delete(recorder, 2)
    recorder.kill(2)
    led(recorder, 0, [0, 1])
    _delete(recorder, 3)
    recorder.start(2)
    led(recorder, 0, [0, 1, 2])
    _delete(recorder, 3)
    _earliest(recorder)


def _delete(recorder: Recorder, offset: Offset) -> None:
    part = DeleteRecordsPartition(partition_index=0, offset=offset)
    topics = [DeleteRecordsTopic(name=name, partitions=[part]) for name in (TOPIC, TWO)]
    request = DeleteRecordsRequest(topics=topics, timeout_ms=SOON_MS)
    recorder.ask(0, request, recorder.version(DeleteRecordsRequest, 2))


def _earliest(recorder: Recorder) -> None:
    part = ListOffsetsPartition(partition_index=0, timestamp=EARLIEST)
    topics = [ListOffsetsTopic(name=name, partitions=[part]) for name in (TOPIC, TWO)]
    request = ListOffsetsRequest(replica_id=-1, topics=topics)
    recorder.ask(0, request, recorder.version(ListOffsetsRequest, 7))
