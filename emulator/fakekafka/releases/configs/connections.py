"""What a broker checks about the limits of connections by address when it starts (KafkaConfig.validateValues)."""

import re
from collections.abc import Callable
from typing import Final

from fakekafka.releases.configs.values import ConfigValue
from fakekafka.releases.release import Release

PER_ADDRESS: Final = "max.connections.per.ip"
OVERRIDES: Final = "max.connections.per.ip.overrides"


def somebody_may_connect(value: Callable[[str], ConfigValue], _: Release) -> str | None:
    """Refuse a limit of no connections for every address, with which nobody could connect."""
    if value(PER_ADDRESS) != 0 or value(OVERRIDES):
        return None
    return f"requirement failed: {PER_ADDRESS} can be set to zero only if {OVERRIDES} property is set."


def connections_by_address(value: Callable[[str], ConfigValue], _: Release) -> str | None:
    """Check the overrides, which are pairs of address and number. Asked of 0.9.0.1 to 4.3.1, on a JDK 17."""
    for pair in str(value(OVERRIDES) or "").split(","):
        address, colon, count = pair.strip().rpartition(":")
        if pair and not address + colon:
            where = f"begin 0, end -1, length {len(pair.strip())}"
            return f"Error parsing configuration property '{OVERRIDES}': {where}"
        if pair and re.fullmatch(r"[+-]?\d+", count) is None:
            return f'For input string: "{count}"'
    return None
