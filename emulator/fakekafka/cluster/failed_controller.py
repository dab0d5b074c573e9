"""A KRaft controller that has failed: it gives up, the quorum does not notice, and no other is elected (KAFKA-13104).

What goes to the controllers is refused from then on, as recorded from 2.8.2: controller_lost; or never answered, as
recorded from 3.3.1: dotted_questions. What brokers do among themselves goes on here: leaders are elected, replicas
leave the in-sync ones.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import TopicName

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker


def check_controller(broker: "Broker") -> None:
    """Raises `ApiError` 41 if the controller has failed."""
    cluster = broker.cluster
    if cluster.controller_has_failed:
        words = f"The active controller appears to be node {cluster.controller_id}"
        raise ApiError(ErrorCode.NOT_CONTROLLER, words)


def check_names(broker: "Broker", names: Iterable[TopicName]) -> None:
    """Raises `ApiError` -1 if the controller fails over the names of new topics, see `deleted_names_collide`."""
    cluster = broker.cluster
    if not cluster.emptied_names or not broker.profile.topics.deleted_names_collide:
        return
    taken = {name.replace(".", "_") for name in cluster.topics}
    if any(name.replace(".", "_") in cluster.emptied_names - taken for name in names if "." in name or "_" in name):
        cluster.fail_controller()
        raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)
