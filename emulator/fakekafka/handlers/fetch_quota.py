"""How much an answer to Fetch may hold under the client's quota (KAFKA-9677)."""

from typing import Final

from fakekafka.handlers.call import Call
from fakekafka.jvm.numbers import whole
from fakekafka.security.principal import ANONYMOUS
from fakekafka.security.quotas import found_quota

CONSUMED: Final = "consumer_byte_rate"
MOST_BYTES: Final = 0x7FFFFFFF


def bytes_of_quota(call: Call) -> int:
    """How much the client's quota allows in a window (ClientQuotaManager.getMaxValueInQuotaWindow)."""
    who = (call.principal or ANONYMOUS).name
    quota_and_sharers = found_quota(call.broker.cluster.settings.quotas, CONSUMED, who, call.client_id or "")
    if quota_and_sharers is None:
        return MOST_BYTES
    config = call.broker.config
    windows = config.int("quota.window.num", 11) - 1
    return whole(quota_and_sharers[0] * windows * config.int("quota.window.size.seconds", 1))
