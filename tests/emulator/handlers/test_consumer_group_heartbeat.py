"""ConsumerGroupHeartbeat, sent to a broker that does not coordinate the group: what is checked first."""

from typing import Any

import pytest
from fakekafka.wire.apis.consumer_group_heartbeat import (
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
)

from tests.support.brokers import answer
from tests.support.group_clients import coordinator_of, grouped


def heard_elsewhere(release: str = "4.2", **fields: Any) -> tuple[int, str | None]:
    """What a broker that does not coordinate the group tells a member that joins with these fields."""
    request = ConsumerGroupHeartbeatRequest(
        group_id="g", member_id="m", rebalance_timeout_ms=1000, subscribed_topic_names=["t"], topic_partitions=[]
    )
    for name, value in fields.items():
        setattr(request, name, value)
    kafka = grouped(release)
    coordinator_of(kafka).unload(0)
    heard = answer(kafka, request, 1, ConsumerGroupHeartbeatResponse)
    return heard.error_code, heard.error_message


def test_the_coordinator_is_looked_for_before_a_consumers_heartbeat_is_checked() -> None:
    """Asked of 4.0.0 and 4.0.1."""
    assert heard_elsewhere("4.0") == (16, None)
    assert heard_elsewhere("4.0", member_id="") == (16, None)


@pytest.mark.parametrize("release", ["4.1", "4.2"])
def test_a_consumers_heartbeat_is_checked_before_the_coordinator_is_looked_for(release: str) -> None:
    """Asked of 4.1.0 to 4.3.1."""
    assert heard_elsewhere(release) == (16, None)
    assert heard_elsewhere(release, member_id="") == (42, "MemberId can't be empty.")
    assert heard_elsewhere(release, group_id="") == (42, "GroupId can't be empty.")
    assert heard_elsewhere(release, rebalance_timeout_ms=-1) == (
        42,
        "RebalanceTimeoutMs must be provided in first request.",
    )
    assert heard_elsewhere(release, server_assignor="nope")[0] == 112
