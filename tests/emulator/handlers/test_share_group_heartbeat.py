"""ShareGroupHeartbeat, sent to a broker that does not coordinate the group: what is checked first."""

from typing import Any

import pytest
from fakekafka.wire.apis.share_group_heartbeat import ShareGroupHeartbeatRequest, ShareGroupHeartbeatResponse

from tests.support.brokers import answer
from tests.support.group_clients import coordinator_of
from tests.support.share_group_clients import shared


def heard_elsewhere(release: str = "4.2", **fields: Any) -> tuple[int, str | None]:
    """What a broker that does not coordinate the group tells a member that joins with these fields."""
    request = ShareGroupHeartbeatRequest(group_id="g", member_id="m", subscribed_topic_names=["t"])
    for name, value in fields.items():
        setattr(request, name, value)
    kafka = shared(release)
    coordinator_of(kafka).unload(0)
    heard = answer(kafka, request, 1, ShareGroupHeartbeatResponse)
    return heard.error_code, heard.error_message


@pytest.mark.parametrize("release", ["4.1", "4.2", "4.3"])
def test_a_share_members_heartbeat_is_checked_before_the_coordinator_is_looked_for(release: str) -> None:
    assert heard_elsewhere(release) == (16, None)
    assert heard_elsewhere(release, group_id="") == (42, "GroupId can't be empty.")
    assert heard_elsewhere(release, member_epoch=-2) == (42, "MemberEpoch is invalid.")


def test_a_share_members_rack_is_checked_before_its_subscription() -> None:
    assert heard_elsewhere(rack_id="", subscribed_topic_names=None) == (42, "RackId can't be empty.")
    assert heard_elsewhere(subscribed_topic_names=None) == (42, "SubscribedTopicNames must be set in first request.")
