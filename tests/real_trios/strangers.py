"""A broker is asked for a partition that only other brokers have, and for one whose replicas are all gone."""

from typing import Final

from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchTopic
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic

from tests.real_trios.recorder import Recorder
from tests.real_trios.requests import METADATA, create, epochs, fetch, led, produce

AWAY: Final = "away"
"""A topic without a replica on broker 0."""
BEFORE_RACKS: Final = 10
"""The last version of Fetch whose readers want the leader."""


def strangers(recorder: Recorder) -> None:
    """Broker 0 is asked for what brokers 1 and 2 have, until they are both killed."""
    create(recorder, [[1, 2]], AWAY)
    produce(recorder, 1, b"a", name=AWAY)
    produce(recorder, 0, b"no", name=AWAY)
    fetch(recorder, 0, name=AWAY)
    _fetch_from_leader(recorder)
    epochs(recorder, 0, 0, name=AWAY)
    recorder.kill(2)
    led(recorder, 1, [1], name=AWAY)
    recorder.kill(1)
    led(recorder, -1, None, name=AWAY)
    for version in range(1, recorder.version(MetadataRequest, METADATA) + 1):
        recorder.ask(0, MetadataRequest(topics=[MetadataRequestTopic(name=AWAY)]), version)
    produce(recorder, 0, b"no", name=AWAY)
    fetch(recorder, 0, name=AWAY)


def _fetch_from_leader(recorder: Recorder) -> None:
    part = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=100_000)
    request = FetchRequest(
        max_wait_ms=0, min_bytes=0, max_bytes=1 << 20, topics=[FetchTopic(topic=AWAY, partitions=[part])]
    )
    recorder.ask(0, request, recorder.version(FetchRequest, BEFORE_RACKS))
