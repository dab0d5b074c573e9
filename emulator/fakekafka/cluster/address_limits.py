"""How many connections an address may have: `max.connections.per.ip` and its overrides, as a broker heeds them.

Under ZooKeeper a broker that starts heeds its properties alone: what was set while it ran before counts again only
once it is set to something else (KafkaConfig, whose values are those of its making; SocketServer.reconfigure).
"""

from typing import Final

from fakekafka.state.configs import BrokerConfig

PER_ADDRESS: Final = "max.connections.per.ip"
OVERRIDES: Final = "max.connections.per.ip.overrides"
UNLIMITED: Final = 0x7FFFFFFF


class AddressLimits:
    """The limits of a broker that has just started. `from_properties`: whether it heeds only those as yet."""

    def __init__(self, config: BrokerConfig, *, from_properties: bool) -> None:
        self._config = config
        self._from_properties = {PER_ADDRESS, OVERRIDES} if from_properties else set[str]()

    def changed(self, names: frozenset[str]) -> None:
        """Heed the dynamic configs of these names."""
        self._from_properties -= names

    def most_of(self, host: str) -> int:
        """How many connections the address may have."""
        for entry in self._text(OVERRIDES).split(","):
            name, _, most = entry.strip().rpartition(":")
            if resolved(name) == host and most.lstrip("+-").isdecimal():
                return int(most)
        if PER_ADDRESS in self._from_properties:
            return int(self._config.static.get(PER_ADDRESS, UNLIMITED))
        return self._config.int(PER_ADDRESS, UNLIMITED)

    def _text(self, name: str) -> str:
        return self._config.static.get(name, "") if name in self._from_properties else self._config.text(name)


def resolved(name: str) -> str:
    """The address that a name stands for. Host names are not looked up: only "localhost" is resolved."""
    return "127.0.0.1" if name == "localhost" else name
