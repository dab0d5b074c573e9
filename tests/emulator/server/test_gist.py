"""What a request is about, in a few words: `server/gist.py`."""

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest
from fakekafka.wire.apis.join_group import JoinGroupRequest
from fakekafka.wire.apis.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from fakekafka.wire.message import Request

from tests.support.faults import NOW, Client, fetch, produce

COMMIT = OffsetCommitRequest(
    group_id="shop",
    topics=[
        OffsetCommitRequestTopic(
            name="orders",
            partitions=[OffsetCommitRequestPartition(partition_index=1, committed_offset=7, committed_metadata="")],
        )
    ],
)


@pytest.mark.parametrize(
    ("request_", "version", "gist"),
    [
        (produce(("orders", 0), ("orders", 1)), 7, "orders-0, orders-1, 146 bytes of records, acks=-1"),
        (produce(("orders", 0), acks=0), 7, "orders-0, 73 bytes of records, acks=0"),
        (fetch(*(("orders", n) for n in range(7))), 11, ", ".join(f"orders-{n} from 0" for n in range(5)) + ", 2 more"),
        (COMMIT, 2, "group shop, orders-1 at 7"),
        (FindCoordinatorRequest(key="svc", key_type=1), 2, "transactional id svc"),
        (JoinGroupRequest(group_id="shop", member_id="m-1", session_timeout_ms=6000), 4, "group shop, member_id='m-1'"),
    ],
)
def test_the_parts_that_matter_are_reported(request_: Request, version: int, gist: str) -> None:
    kafka = FakeKafka("2.3", clock=ManualClock(NOW)).boot()
    Client(kafka).send(request_, version)
    assert kafka.requests[-1].gist == gist
