"""Who decides: under ZooKeeper one broker is the controller, and clients must ask that one."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker


def decides(broker: "Broker") -> bool:
    """Is this the broker to ask? Under KRaft any one is: it asks the controllers. Others answer 41."""
    by_controller = broker.profile.admin.by_controllers
    return by_controller or broker.node_id == broker.cluster.controller_id
