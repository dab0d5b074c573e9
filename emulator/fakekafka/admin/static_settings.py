"""The properties of a broker that the user need not write: its id, its addresses, its directory.

A real broker of the same kind would have these lines in its server.properties; DescribeConfigs shows them so.
"""

from typing import TYPE_CHECKING, assert_never

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

CONTROLLER_PORT_OFFSET = 1
"""The controller's listener of a KRaft node is not served; it is shown with the next port."""


def static_settings(broker: "Broker") -> dict[str, str]:
    """Every line of the broker's properties: those of the user and the implied ones."""
    given = {**broker.config.ignored, **broker.config.static}
    lines = _implied(broker) | given
    if broker.profile.describe_configs.one_id:
        known = lines.get("node.id", lines.get("broker.id", ""))
        lines = {"node.id": known, "broker.id": known} | lines
    table, shows_all = broker.profile.broker_configs, broker.profile.describe_configs.shows_unknown
    return {name: text for name, text in lines.items() if name in table or (shows_all and name in given)}


def _implied(broker: "Broker") -> dict[str, str]:
    own = f"{broker.host}:{broker.port}"
    lines = {"advertised.listeners": f"PLAINTEXT://{own}", "log.dirs": broker.log_dirs.paths}
    match broker.profile.describe_configs.implied_properties:
        case "of a ZooKeeper broker":
            zookeeper = f"{broker.host}:2181"
            return lines | {
                "broker.id": str(broker.node_id),
                "listeners": f"PLAINTEXT://{own}",
                "zookeeper.connect": zookeeper,
            }
        case "of a KRaft node":
            return lines | _of_node(broker, own)
        case never:
            assert_never(never)


def _of_node(broker: "Broker", own: str) -> dict[str, str]:
    brokers = broker.cluster.brokers.values()
    controller = f"{broker.host}:{broker.port + CONTROLLER_PORT_OFFSET}"
    return {
        "process.roles": "broker,controller",
        "node.id": str(broker.node_id),
        "listeners": f"PLAINTEXT://{own},CONTROLLER://{controller}",
        "controller.listener.names": "CONTROLLER",
        "controller.quorum.voters": ",".join(
            f"{b.node_id}@{b.host}:{b.port + CONTROLLER_PORT_OFFSET}" for b in brokers
        ),
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
    }
