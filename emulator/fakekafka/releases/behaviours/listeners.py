"""Which listeners a broker does not start with, and what it says about them.

Asked of the KafkaConfig of 0.9.0.1, 0.10.1.1, 0.10.2.2, 0.11.0.3, 1.0.2, 2.3.1, 2.7.2, 3.0.2, 3.1.2, 3.5.2, 3.6.2,
3.9.1, 4.1.1, 4.2.1 and 4.3.1, on a JDK 17 (`tests/real_kafka/listeners.py`).
"""

from functools import cached_property
from typing import Literal, assert_never

from fakekafka.releases.behaviours.behaviour import Behaviours, history

FAILED = "requirement failed: "
REFUSED_TEXT = "Error creating broker listeners from '{shown}': "
ENUM = "No enum constant org.apache.kafka.common.protocol.SecurityProtocol."
SAME_NAME = "Each listener must have a different name, listeners: {shown}"
SAME_PORT = (
    "If you have two listeners on the same port then one needs to be IPv4 and the other IPv6, listeners: {shown},"
    " port: {port}"
)


class ListenersBehaviour(Behaviours):
    """How a broker checks its listeners when it starts."""

    have_names: bool = history({"0.8.0": False, "0.10.2": True})
    """Whether listeners have names, which `listener.security.protocol.map` maps to protocols (KIP-103)."""

    shown_as: Literal["text", "list"] = history({"0.8.0": "text", "4.2": "list"})
    """How `{shown}` below writes them: as they are given, or as Java prints a list. Asked of 4.1.1 and 4.2.1."""

    unknown_listener: str = history(
        {"0.8.0": f"{ENUM}{{name}}", "0.10.2": "No security protocol defined for listener {name}"}
    )
    """A listener that is neither named like a protocol nor mapped to one (EndPoint.scala)."""

    same_name: str = history(
        {
            "0.8.0": f"{FAILED}Each listener must have a different protocol",
            "0.10.2": FAILED + SAME_NAME,
            "4.3": REFUSED_TEXT + SAME_NAME,
        }
    )
    """Two listeners with the same name (CoreUtils.listenerListToEndPoints)."""

    same_port: str = history(
        {
            "0.8.0": f"{FAILED}Each listener must have a different port",
            "0.10.2": f"{FAILED}Each listener must have a different port, listeners: {{shown}}",
            "3.6": FAILED + SAME_PORT,
            "4.3": REFUSED_TEXT + SAME_PORT,
        }
    )
    """Two listeners with the same port (CoreUtils.listenerListToEndPoints)."""

    one_port_for_two_families: bool = history({"0.8.0": False, "3.6": True})
    """Whether two listeners may share a port if one address is IPv4 and the other IPv6 (CoreUtils.scala).
    Asked of 3.5.2 and 3.6.2.
    """

    no_listener: str = history(
        {"0.8.0": "", "3.1": f"{FAILED}There must be at least one advertised listener."},
        kraft={
            "2.8": f"{FAILED}There must be at least one advertised listener.",
            "3.3": f"{FAILED}There must be at least one advertised listener. Perhaps all listeners appear in"
            " controller.listener.names?",
            "3.9": f"{FAILED}There must be at least one broker advertised listener. Perhaps all listeners appear in"
            " controller.listener.names?",
        },
    )
    """No listener for clients; empty: the message is that of `between_brokers`
    (KafkaConfig.validateValues).
    """

    between_brokers: str = history(
        {
            "0.8.0": f"{FAILED}security.inter.broker.protocol must be a protocol in the configured set of"
            " advertised.listeners. The valid options based on currently configured protocols are Set({names})",
            "0.10.2": f"{FAILED}inter.broker.listener.name must be a listener name defined in advertised.listeners."
            " The valid options based on currently configured listeners are {names}",
        }
    )
    """None of the listeners is the one that brokers use among themselves (KafkaConfig.validateValues)."""

    unknown_protocol: str = history(
        {"0.8.0": f"{ENUM}{{name}}", "0.10.2": "Invalid security protocol `{name}` defined in {config}"}
    )
    """A protocol that does not exist (KafkaConfig.getSecurityProtocol)."""

    unroutable: bool = history({"0.8.0": True, "1.0": False})
    """Whether a broker may advertise the address 0.0.0.0 (KafkaConfig.validateValues)."""

    control_plane: Literal["ignored", "checked", "refused"] = history(
        {"0.8.0": "ignored", "2.2": "checked"}, kraft={"2.8": "refused"}
    )
    """What becomes of control.plane.listener.name (KIP-291)."""

    @cached_property
    def refuses_control_plane(self) -> bool:
        """Whether a listener of that name stops the broker."""
        match self.control_plane:
            case "refused":
                return True
            case "ignored" | "checked":
                return False
            case word:
                assert_never(word)

    early_listeners: bool = history({"0.8.0": False, "3.3": True})
    """Whether early.start.listeners is checked (KIP-801)."""
