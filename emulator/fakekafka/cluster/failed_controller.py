"""A KRaft controller that has failed: it gives up, the quorum does not notice, and no other is elected (KAFKA-13104).

What goes to the controllers is refused from then on, as recorded from 2.8.2: controller_lost. What brokers do among
themselves goes on here: leaders are elected, replicas leave the in-sync ones.
"""

from typing import TYPE_CHECKING

from fakekafka.errors import ApiError, ErrorCode

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker


def check_controller(broker: "Broker") -> None:
    """Raises `ApiError` 41 if the controller has failed."""
    cluster = broker.cluster
    if cluster.controller_has_failed:
        words = f"The active controller appears to be node {cluster.controller_id}"
        raise ApiError(ErrorCode.NOT_CONTROLLER, words)
