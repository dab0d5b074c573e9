"""Whether the listeners that a broker advertises serve other brokers, too: `inter.broker.listener.name` and the like.

Here brokers of one cluster talk in memory; but properties with which a release does not start are refused in its words
(KafkaConfig.validateValues, getInterBrokerListenerNameAndSecurityProtocol, getControlPlaneListenerName).
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias, assert_never

from fakekafka.errors import BrokerWillNotStart
from fakekafka.security.listener import PLAINTEXT, Listener, Property

if TYPE_CHECKING:
    from fakekafka.releases.behaviours.listeners import ListenersBehaviour

NAME, PROTOCOL = "inter.broker.listener.name", "security.inter.broker.protocol"
CONTROL_PLANE, EARLY = "control.plane.listener.name", "early.start.listeners"
CONTROLLERS: Final = "controller.listener.names"
GSSAPI: Final = "GSSAPI"
ANY_ADDRESS: Final = "0.0.0.0"
Protocols: TypeAlias = Mapping[str, str]
"""Security protocols by listener name."""


def check_between_brokers(
    prop: Property, advertised: Sequence[Listener], protocols: Protocols, says: "ListenersBehaviour"
) -> None:
    """Raises `BrokerWillNotStart` if brokers could not reach each other by the listeners that they advertise."""
    if not advertised and says.no_listener:
        raise BrokerWillNotStart(says.no_listener)
    names = [listener.name for listener in advertised]
    own = _between_brokers(prop, protocols, says)
    if own not in names:
        raise BrokerWillNotStart(says.between_brokers.format(names=",".join(names)))
    if not says.unroutable and any(listener.host == ANY_ADDRESS for listener in advertised):
        raise BrokerWillNotStart(
            f"requirement failed: advertised.listeners cannot use the nonroutable meta-address {ANY_ADDRESS}."
            " Use a routable IP address."
        )
    _check_login(prop, protocols[own])
    match says.control_plane:
        case "ignored":
            pass
        case "checked" | "refused":
            if (name := prop(CONTROL_PLANE)) is not None:
                _check_control_plane(name, names, own, protocols, says)
        case rule:
            assert_never(rule)
    if says.early_listeners:
        _check_early(prop, names)


def _between_brokers(prop: Property, protocols: Protocols, says: "ListenersBehaviour") -> str:
    """The name of the listener that brokers use among themselves."""
    name, protocol = prop(NAME) if says.have_names else None, prop(PROTOCOL)
    if name is not None and protocol is not None:
        raise BrokerWillNotStart(f"Only one of {NAME} and {PROTOCOL} should be set.")
    if name is not None:
        if name.upper() not in protocols:
            raise BrokerWillNotStart(
                f"Listener with name {name} defined in {NAME} not found in listener.security.protocol.map."
            )
        return name.upper()
    if protocol is None:
        return PLAINTEXT
    if protocol.upper() not in ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"):
        raise BrokerWillNotStart(says.unknown_protocol.format(name=protocol, config=PROTOCOL))
    return protocol.upper()


def _check_login(prop: Property, protocol: str) -> None:
    enabled = (prop("sasl.enabled.mechanisms") or GSSAPI).replace(" ", "").split(",")
    if protocol.startswith("SASL") and (prop("sasl.mechanism.inter.broker.protocol") or GSSAPI) not in enabled:
        raise BrokerWillNotStart(
            "requirement failed: sasl.mechanism.inter.broker.protocol must be included in sasl.enabled.mechanisms"
            " when SASL is used for inter-broker communication"
        )


def _check_control_plane(
    name: str, names: Sequence[str], own: str, protocols: Protocols, says: "ListenersBehaviour"
) -> None:
    if name.upper() not in protocols:
        raise BrokerWillNotStart(
            f"Listener with {name} defined in {CONTROL_PLANE} not found in listener.security.protocol.map."
        )
    if says.refuses_control_plane:
        raise BrokerWillNotStart(f"requirement failed: {CONTROL_PLANE} is not supported in KRaft mode.")
    if name.upper() not in names:
        raise BrokerWillNotStart(
            f"requirement failed: {CONTROL_PLANE} must be a listener name defined in advertised.listeners."
            f" The valid options based on currently configured listeners are {','.join(names)}"
        )
    if name.upper() == own:
        raise BrokerWillNotStart(
            f"requirement failed: {CONTROL_PLANE}, when defined, should have a different value from the inter broker"
            f" listener name. Currently they both have the value ListenerName({own})"
        )


def _check_early(prop: Property, names: Sequence[str]) -> None:
    known = {*names, *(name.strip().upper() for name in (prop(CONTROLLERS) or "").split(","))}
    for name in (prop(EARLY) or "").replace(" ", "").split(","):
        if name and name.upper() not in known:
            raise BrokerWillNotStart(
                f"{EARLY} contains listener {name.upper()}, but this is not contained in listeners or {CONTROLLERS}"
            )
