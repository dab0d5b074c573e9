"""What followers make of logs that do not begin or go on where they expect it."""

from typing import Final

from fakekafka.ids import Offset
from fakekafka.records import v2
from fakekafka.records.record import Record
from fakekafka.wire.apis.delete_records import (
    DeleteRecordsPartition,
    DeleteRecordsRequest,
    DeleteRecordsTopic,
)
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic
from fakekafka.wire.apis.produce import ProduceRequest

from tests.real_trios.recorder import Recorder
from tests.real_trios.requests import FETCH, PRODUCE, TIMEOUT_MS, TOPIC, create, fetch, led, produce, produced

SMALL: Final = "200"
"""Two batches fill a segment of this size."""
CLEANED: Final = {"log.cleaner.backoff.ms": "500", "replica.fetch.max.bytes": "150"}
"""A follower gets at most two batches at once: what is larger than a segment cannot be appended."""


def listed(recorder: Recorder) -> None:
    """Replicas are listed, in another order than that of their numbers, before and after one of them dies."""
    create(recorder, [[2, 0, 1], [1, 2, 0]])
    recorder.kill(2)
    led(recorder, None, [0, 1])


def halved(recorder: Recorder) -> None:
    """A follower that has nothing yet copies a log whose first batch was deleted in part (KAFKA-6975)."""
    create(recorder, [[0, 1]])
    recorder.kill(1)
    led(recorder, 0, [0])
    produce(recorder, 0, b"a", b"b", b"c")
    produce(recorder, 0, b"d")
    part = DeleteRecordsPartition(partition_index=0, offset=1)
    topics = [DeleteRecordsTopic(name=TOPIC, partitions=[part])]
    request = DeleteRecordsRequest(topics=topics, timeout_ms=TIMEOUT_MS)
    recorder.ask(0, request, recorder.version(DeleteRecordsRequest, 1))
    recorder.start(1)
    recorder.keep("copied", [0, 1])
    fetch(recorder, 0, 1)


def gaps(recorder: Recorder) -> None:
    """A follower copies a compacted log, and a segment of its own ends at a gap (KAFKA-6530)."""
    configs = {"cleanup.policy": "compact", "segment.bytes": SMALL, "min.cleanable.dirty.ratio": "0"}
    create(recorder, [[0, 1]], **{name.replace(".", "_"): value for name, value in configs.items()})
    recorder.kill(1)
    led(recorder, 0, [0])
    for number, key in enumerate((b"a", b"b", *(b"k",) * 6, b"c", b"d", b"e")):
        record = Record(0, recorder.started_ms + number, 0, key, b"%d" % number)
        request = produced(v2.build([record]), -1)
        recorder.ask(0, request, recorder.version(ProduceRequest, PRODUCE))
    _compacted(recorder, 2, 7)
    recorder.start(1)
    led(recorder, 0, [0, 1])
    recorder.keep("copied", [0, 1])


def _compacted(recorder: Recorder, offset: Offset, then: Offset) -> None:
    """Wait until the log goes on with `then` where it had `offset`."""
    part = FetchPartition(partition=0, fetch_offset=offset, partition_max_bytes=1)
    topics = [FetchTopic(topic=TOPIC, partitions=[part])]
    request = FetchRequest(max_wait_ms=0, min_bytes=0, max_bytes=1 << 20, topics=topics)

    def goes_on(answer: FetchResponse) -> bool:
        records = answer.responses[0].partitions[0].records or b""
        return int.from_bytes(records[:8], "big") == then

    recorder.poll(0, request, recorder.version(FetchRequest, FETCH), goes_on)
